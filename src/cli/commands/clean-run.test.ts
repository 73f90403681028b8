import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import type { WireDeletedJob } from '../../client/index.ts'
import { createCommandTrial } from '../testing/command-trial.ts'
import { SAMPLE_RUN_ID, sampleRun } from '../testing/sample-run.ts'
import { SAMPLE_JOB_ID, sampleJob } from '../testing/sample-wire.ts'

const trial = createCommandTrial(temporaryDirectory)

const preview: WireDeletedJob = {
  jobId: SAMPLE_JOB_ID,
  title: 'Make it work',
  workingBranch: 'muster/job',
  repositoryPath: '/srv/project',
  isDryRun: true,
  running: [],
  unlanded: [],
  superseded: 0,
  isBranchRemoved: false,
  bytes: 100,
}
const playbook = { name: 'reviewed', hash: 'h', inputs: {}, cast: {} }

function run(words: readonly string[], { job = sampleJob({ playbook }), of = sampleRun() } = {}) {
  const answers = (method: string, path: string) => {
    if (path === `/api/runs/${SAMPLE_RUN_ID}`) return of
    if (method === 'POST') return preview
    return path === `/api/orchestrator/${SAMPLE_JOB_ID}` ? job : undefined
  }
  return trial.run({ answers }, words)
}

it.each(['clean', 'delete'])('muster %s RUN deletes the job that did nothing else', async (command) => {
  const { code, requests } = await run([command, SAMPLE_RUN_ID, '--yes'])
  expect(code).toBe(0)
  const deletion = `POST /api/orchestrator/${SAMPLE_JOB_ID}/delete`
  expect(requests.filter((request) => request.startsWith('POST'))).toEqual([deletion, deletion])
})

it.each([
  ['a job with a planner', { job: sampleJob() }],
  ['another run', { of: sampleRun({ parentId: 'vis_1' }) }],
])('a run within %s can only be deleted with the whole job', async (_, given) => {
  const { code, err, requests } = await run(['clean', SAMPLE_RUN_ID, '--yes'], given)
  expect(code).toBe(2)
  expect(err).toMatch(new RegExp(`delete ${SAMPLE_JOB_ID}\\n`))
  expect(requests.some((request) => request.startsWith('POST'))).toBe(false)
})

it('refuses an age for one run', async () => {
  expect((await run(['clean', SAMPLE_RUN_ID, '--older-than', '30d'])).code).toBe(2)
})
