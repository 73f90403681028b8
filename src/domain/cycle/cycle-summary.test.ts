import { expect, it } from 'vitest'
import { exampleCycle, exampleJob, exampleTask } from '../../../test/support/example-records.ts'
import { countTasks, cycleSummary } from './cycle-summary.ts'

const cycle = exampleCycle(exampleJob())
const tasks = [
  exampleTask(cycle, {
    description: 'Write it',
    state: { type: 'completed', commit: 'abcdef0123456789' },
    startedAt: new Date(),
    resultSummary: 'I wrote it.\nAll of it.',
  }),
  exampleTask(cycle, { number: 2, state: { type: 'failed', reason: 'it broke' }, startedAt: new Date() }),
  exampleTask(cycle, { number: 3, state: { type: 'skipped', reason: 'the time limit was reached' } }),
]

it('starts with what landed, then shows the outcome of each task and quotes its agent', () => {
  expect(cycleSummary(tasks)).toBe(
    [
      '1 of 3 tasks landed (33%), 1 failed, 1 skipped',
      '- t1-1 Write it: landed as abcdef0123; the agent said: "I wrote it. All of it."',
      '- t1-2 task 2: failed: it broke',
      '- t1-3 task 3: skipped: the time limit was reached',
    ].join('\n'),
  )
})

it('counts what started, what landed and what did not', () => {
  expect(countTasks(tasks)).toEqual({ tasksLaunched: 2, tasksCompleted: 1, tasksFailed: 2 })
})

it('does not claim that a task landed whose result is a document', () => {
  const documented = exampleTask(cycle, { state: { type: 'completed' }, startedAt: new Date() })
  expect(cycleSummary([documented])).toContain('1 of 1 tasks completed (100%)')
})

it('reports that there was nothing to do', () => {
  expect(cycleSummary([])).toBe('0 of 0 tasks landed')
})
