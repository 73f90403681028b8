import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createCommandTrial } from '../testing/command-trial.ts'
import { SAMPLE_JOB_ID, sampleEvent, sampleJob } from '../testing/sample-wire.ts'

const trial = createCommandTrial(temporaryDirectory)

const PLACE = { branch: 'main', commit: 'a'.repeat(40) }
const ASKED = sampleEvent('base_checked', {
  seq: 5,
  data: { ...PLACE, outcome: 'failed', failures: [], isAsking: true },
})

function answersWith(choices: readonly string[]) {
  const base = { jobId: SAMPLE_JOB_ID, ...PLACE, status: 'asking', results: [], choices }
  return (_method: string, path: string) => {
    if (path.endsWith('/base')) return base
    if (path.endsWith('/events')) return { items: [ASKED], lastSeq: 5 }
    return path.includes('/tasks') || path.includes('/reports') ? { items: [] } : sampleJob()
  }
}

it('ends muster run with exit code 2 and the commands that decide, without a terminal', async () => {
  execFileSync('git', ['init', '--quiet', trial.path()])
  // The stream stays open, because the job hasn't ended.
  const asked = { answers: answersWith(['continue', 'fix', 'retry', 'stop']), events: [ASKED] }
  const { code, err } = await trial.run(asked, ['run', 'make it'])
  expect(code).toBe(2)
  expect(err).toContain('to decide in advance: muster run --on-failing-base ')
  expect(err).toMatch(new RegExp(`try: muster .*base ${SAMPLE_JOB_ID} continue\\|fix\\|retry\\|stop`))
  const decided = { answers: answersWith([]), events: [ASKED], ends: true }
  expect(await trial.run(decided, ['run', 'make it'])).toMatchObject({ code: 0 })
})

it('names muster start if that is what was run', async () => {
  execFileSync('git', ['init', '--quiet', trial.path()])
  const playbook = { name: 'reviewed', hash: 'h', inputs: {}, cast: {} }
  const answers = answersWith(['stop'])
  const asked = (method: string, path: string) => {
    const found = answers(method, path)
    return path === `/api/orchestrator/${SAMPLE_JOB_ID}` ? sampleJob({ playbook }) : found
  }
  const { err } = await trial.run({ answers: asked, events: [ASKED] }, ['start', 'reviewed', 'make it'])
  expect(err).toContain('to decide in advance: muster start reviewed --on-failing-base ')
})
