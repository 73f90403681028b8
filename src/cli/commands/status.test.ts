import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createCommandTrial } from '../testing/command-trial.ts'
import { sampleRun, sampleVisit } from '../testing/sample-run.ts'
import { SAMPLE_JOB_ID, sampleJob, sampleNames } from '../testing/sample-wire.ts'

const trial = createCommandTrial(temporaryDirectory)

it('shows the playbook, stage and run of a job, and the time since it started', async () => {
  const times = { activeMs: 3000, startedAt: '2026-01-02T03:04:05.000Z' }
  const open = { status: 'running', reason: undefined, title: 'Multiply', ...times } as const
  const playbook = { name: 'reviewed', hash: 'h', inputs: {}, cast: {} }
  const visit = sampleVisit({ stage: 'review', round: 2, status: 'working' })
  const daemon = { pid: 1, version: '1', startedAt: times.startedAt, uptimeMs: 1, home: '/m' }
  const answers: Readonly<Record<string, unknown>> = {
    '/api/names': sampleNames(),
    '/api/status': {
      daemon: { ...daemon, containment: 'bubblewrap' },
      jobs: [sampleJob(open)],
      sessions: [],
      waiting: [],
    },
    [`/api/orchestrator/${SAMPLE_JOB_ID}`]: sampleJob({ ...open, playbook }),
    '/api/runs': { items: [sampleRun({ visits: [sampleVisit(), visit] })] },
  }
  const now = () => new Date('2026-01-02T03:04:31.000Z')
  const printed = await trial.run({ answers: (_, path) => answers[path] }, ['status'], { now })
  expect(printed.out).toMatch(
    /job_9abc {2}running +reviewed at review \(round 2\), 26s, run_\w+ {2}Multiply\n/,
  )
})
