import { describe, expect, it } from 'vitest'
import { exampleCycle, exampleJob, exampleTask } from '../../../test/support/example-records.ts'
import type { AttemptId } from '../id.ts'
import { readyTasks } from './ready-tasks.ts'
import type { Task } from './task.ts'
import type { TaskState } from './task-state.ts'

const cycle = exampleCycle(exampleJob())
const running: TaskState = { type: 'running', attemptId: 'att_1' as AttemptId }
const task = (number: number, overrides: Partial<Task> = {}) => exampleTask(cycle, { number, ...overrides })
const ready = (tasks: readonly Task[]) => readyTasks(tasks).ready.map((urgent) => urgent.task.number)

describe('the ready tasks of a cycle', () => {
  it('start with the most urgent', () => {
    const tasks = [task(1, { priority: 'P2' }), task(2), task(3, { priority: 'P0' }), task(4)]
    expect(ready(tasks)).toEqual([3, 2, 4, 1])
  })

  it('wait for dependencies to land, and are lost if one can never land', () => {
    const tasks = [
      task(1, { state: { type: 'landing', landingId: 'lnd_1' as never } }),
      task(2, { dependsOn: [1] }),
      task(3, { state: { type: 'failed', reason: 'no' } }),
      task(4, { dependsOn: [3] }),
    ]
    expect(ready(tasks)).toEqual([])
    expect(readyTasks(tasks).lost.map((lost) => lost.task.number)).toEqual([4])
  })

  it('wait for tasks that change the same files to finish, whatever their outcome', () => {
    const readyAfter = (state: TaskState) => ready([task(1, { state }), task(2, { after: [1] })])
    expect(readyAfter(running)).toEqual([])
    expect(readyAfter({ type: 'landing', landingId: 'lnd_1' as never })).toEqual([])
    expect(readyAfter({ type: 'failed', reason: 'no' })).toEqual([2])
    expect(readyAfter({ type: 'completed', commit: 'c' })).toEqual([2])
  })

  it('start with the head of the longest chain among equals', () => {
    const tasks = [
      task(1),
      task(2),
      task(3, { dependsOn: [2] }),
      task(4),
      task(5, { dependsOn: [4] }),
      task(6, { dependsOn: [5] }),
    ]
    expect(ready(tasks)).toEqual([4, 2, 1])
  })

  it('start with the task that holds up more others if the chains are equally long', () => {
    const tasks = [
      task(1),
      task(2, { dependsOn: [1] }),
      task(3),
      task(4, { dependsOn: [3] }),
      task(5, { dependsOn: [3] }),
    ]
    expect(ready(tasks)).toEqual([3, 1])
  })

  it('are as urgent as the most urgent task that waits for them', () => {
    const tasks = [task(1), task(2, { priority: 'P2' }), task(3, { priority: 'P0', dependsOn: [2] })]
    expect(readyTasks(tasks).ready).toMatchObject([
      { task: { number: 2 }, priority: 'P0' },
      { task: { number: 1 }, priority: 'P1' },
    ])
  })

  it('are found despite a dependency cycle', () => {
    expect(ready([task(1, { dependsOn: [2] }), task(2, { dependsOn: [1] }), task(3)])).toEqual([3])
  })
})
