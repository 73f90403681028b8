import { execFileSync } from 'node:child_process'
import { beforeEach, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createCommandTrial } from '../testing/command-trial.ts'
import { SAMPLE_RUN_ID, sampleRun } from '../testing/sample-run.ts'
import { SAMPLE_JOB_ID, sampleJob, sampleNames } from '../testing/sample-wire.ts'

const trial = createCommandTrial(temporaryDirectory)
const OTHER_JOB_ID = 'job_0mwzzzzzz5555000000a'
const EARLY = '2026-01-02T03:04:05.000Z'
const LATE = '2026-01-02T04:04:05.000Z'

beforeEach(() => {
  execFileSync('git', ['init', '--quiet', trial.path()])
})

/** A job of this repository that followed a playbook, and one of another that had a planner. */
async function history(...flags: readonly string[]) {
  const playbook = { name: 'reviewed', hash: 'h', inputs: {}, cast: {} }
  const ended = { status: 'completed', completedAt: EARLY, activeMs: 0, spentUsd: 0.5 } as const
  const startedAt = '2026-01-02T02:53:17.000Z'
  const followed = sampleJob({ ...ended, startedAt, repositoryPath: trial.path(), title: 'Fix it', playbook })
  const planned = sampleJob({ ...ended, id: OTHER_JOB_ID, completedAt: LATE, title: 'Plan it' })
  const run = sampleRun({ status: 'ended', end: 'partial', endedAt: EARLY })
  const found: Readonly<Record<string, unknown>> = {
    '/api/names': sampleNames(),
    '/api/orchestrator': { items: [planned, followed] },
    [`/api/orchestrator/${SAMPLE_JOB_ID}`]: followed,
    [`/api/orchestrator/${OTHER_JOB_ID}`]: planned,
    '/api/runs': { items: [run, sampleRun({ id: 'run_0mwzzzzzz5555000000a' })] },
  }
  return await trial.run({ answers: (_, path) => found[path] }, ['history', ...flags])
}

it('lists what ended in this repository, with the end of its run, its time and its cost', async () => {
  const printed = await history()
  expect(printed.code).toBe(0)
  const [head, ...rows] = printed.out.trimEnd().split('\n')
  expect(head).toMatch(/^ENDED +ID +PLAYBOOK +RESULT +TIME +COST +GOAL$/)
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatch(/job_9abc +reviewed +partial +10m48s +\$0.50 +Fix it$/)
})

it('lists all repositories newest first, at most as many as asked, and to programs', async () => {
  const idsIn = (out: string) => JSON.parse(out).data.items.map(({ id }: { id: string }) => id)
  expect(idsIn((await history('--all', '--json')).out)).toEqual([OTHER_JOB_ID, SAMPLE_JOB_ID])
  expect(idsIn((await history('--all', '-n', '1', '--json')).out)).toEqual([OTHER_JOB_ID])
  const { data } = JSON.parse((await history('--json')).out)
  expect(data.items).toMatchObject([{ type: 'job', runId: SAMPLE_RUN_ID, result: 'partial', costUsd: 0.5 }])
})
