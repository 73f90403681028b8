import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import type { WireEvent } from '../../contract/event.ts'
import { createCommandTrial } from '../testing/command-trial.ts'
import { SAMPLE_RUN_ID, samplePlaybook, sampleRun } from '../testing/sample-run.ts'
import { SAMPLE_JOB_ID, SAMPLE_TASK_ID, sampleEvent, sampleJob, sampleTask } from '../testing/sample-wire.ts'

const trial = createCommandTrial(temporaryDirectory)

const place = { taskId: SAMPLE_TASK_ID, cycle: 1 }
const entered = (seq: number, stage: string) =>
  sampleEvent('stage_entered', {
    ...place,
    seq,
    data: { runId: SAMPLE_RUN_ID, stage, round: 1, branches: 1 },
  })
const ended = sampleEvent('run_ended', {
  ...place,
  seq: 4,
  data: { runId: SAMPLE_RUN_ID, playbook: 'reviewed', end: 'partial' },
})
const cancelled = sampleEvent('run_cancelled', {
  ...place,
  seq: 4,
  data: { runId: SAMPLE_RUN_ID, playbook: 'reviewed', reason: 'a person stopped it' },
})
const eventsUntil = (end: WireEvent) => [
  sampleEvent('run_started', { ...place, seq: 1, data: { runId: SAMPLE_RUN_ID, playbook: 'reviewed' } }),
  entered(2, 'implement'),
  sampleEvent('task_failed', {
    taskId: 'task_other',
    seq: 3,
    data: { status: 'blocked', error: 'of another task', suggestion: '' },
  }),
  end,
  entered(5, 'after-the-end'),
]

/** The run has ended when it is read again. */
function answersOfRun() {
  let reads = 0
  const found: Readonly<Record<string, () => unknown>> = {
    [`/api/runs/${SAMPLE_RUN_ID}`]: () => {
      reads += 1
      return sampleRun(reads === 1 ? {} : { status: 'ended', end: 'partial', progress: 1 })
    },
    [`/api/runs/${SAMPLE_RUN_ID}/playbook`]: () => samplePlaybook('developer'),
    [`/api/orchestrator/${SAMPLE_JOB_ID}`]: () => sampleJob({ status: 'running' }),
    [`/api/tasks/${SAMPLE_TASK_ID}`]: () => ({ ...sampleTask(), attempts: [], landings: [] }),
    '/api/tasks': () => ({ items: [sampleTask()] }),
  }
  return (_: string, path: string) => found[path]?.()
}

it("ends when the run of a planner's task ends, with its result, and prints nothing of other tasks", async () => {
  const printed = await trial.run({ answers: answersOfRun(), events: eventsUntil(ended) }, [
    'watch',
    SAMPLE_RUN_ID,
  ])
  expect(printed).toMatchObject({ code: 1, err: '' })
  expect(printed.out).toContain('implement')
  expect(printed.out).not.toContain('of another task')
  expect(printed.out).not.toContain('after-the-end')
  expect(printed.out).toContain('partial')
})

it("ends when the run of a planner's task is cancelled", async () => {
  const answers = answersOfRun()
  const printed = await trial.run({ answers, events: eventsUntil(cancelled) }, ['watch', SAMPLE_RUN_ID])
  expect(printed.out).toContain('reviewed was cancelled')
  expect(printed.out).not.toContain('after-the-end')
})
