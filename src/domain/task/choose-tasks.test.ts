import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exampleCycle, exampleJob, exampleTask } from '../../../test/support/example-records.ts'
import type { AttemptId } from '../id.ts'
import { chooseTasks, type TaskRoom } from './choose-tasks.ts'
import type { Task } from './task.ts'
import type { TaskState } from './task-state.ts'

const cycle = exampleCycle(exampleJob())
const room: TaskRoom = {
  maxParallel: 3,
  places: 16,
  liveOf: () => 0,
  isAtWork: () => true,
  agentOf: (task) => task.agent ?? 'one',
  maxParallelOf: () => Number.POSITIVE_INFINITY,
}
const running: TaskState = { type: 'running', attemptId: 'att_1' as AttemptId }
const task = (number: number, overrides: Partial<Task> = {}) => exampleTask(cycle, { number, ...overrides })
const numbers = (tasks: readonly Task[]) => tasks.map((one) => one.number)

describe('choosing tasks', () => {
  it('takes the most urgent first and no more than fit', () => {
    const tasks = [task(1, { priority: 'P2' }), task(2), task(3, { priority: 'P0' }), task(4), task(5)]
    expect(numbers(chooseTasks(tasks, room).start)).toEqual([3, 2, 4])
  })

  it('waits for dependencies to land and gives up what can never start', () => {
    const tasks = [
      task(1, { state: { type: 'landing', landingId: 'lnd_1' as never } }),
      task(2, { dependsOn: [1] }),
      task(3, { state: { type: 'failed', reason: 'no' } }),
      task(4, { dependsOn: [3] }),
    ]
    const choice = chooseTasks(tasks, room)
    expect(choice.start).toEqual([])
    expect(numbers(choice.lost.map((lost) => lost.task))).toEqual([4])
  })

  it('waits until those that change the same files are over, however they ended', () => {
    const startsAfter = (state: TaskState) =>
      numbers(chooseTasks([task(1, { state }), task(2, { after: [1] })], room).start)
    expect(startsAfter(running)).toEqual([])
    expect(startsAfter({ type: 'landing', landingId: 'lnd_1' as never })).toEqual([])
    expect(startsAfter({ type: 'failed', reason: 'no' })).toEqual([2])
    expect(startsAfter({ type: 'completed', commit: 'c' })).toEqual([2])
  })

  it('does not wait for the place of one whose agent has ended', () => {
    const tasks = [1, 2, 3].map((number) => task(number, { state: running }))
    expect(chooseTasks([...tasks, task(4)], room).start).toEqual([])
    const looked = { ...room, isAtWork: (one: Task) => one.number > 1 }
    expect(numbers(chooseTasks([...tasks, task(4), task(5)], looked).start)).toEqual([4])
  })

  it('starts the head of the longest chain first among equals', () => {
    const tasks = [
      task(1),
      task(2),
      task(3, { dependsOn: [2] }),
      task(4),
      task(5, { dependsOn: [4] }),
      task(6, { dependsOn: [5] }),
    ]
    expect(numbers(chooseTasks(tasks, { ...room, maxParallel: 2 }).start)).toEqual([4, 2])
  })

  it('starts what holds up more tasks first when the chains are as long', () => {
    const tasks = [
      task(1),
      task(2, { dependsOn: [1] }),
      task(3),
      task(4, { dependsOn: [3] }),
      task(5, { dependsOn: [3] }),
    ]
    expect(numbers(chooseTasks(tasks, { ...room, maxParallel: 1 }).start)).toEqual([3])
  })

  it('takes what an urgent task waits for to be as urgent', () => {
    const tasks = [task(1), task(2, { priority: 'P2' }), task(3, { priority: 'P0', dependsOn: [2] })]
    expect(numbers(chooseTasks(tasks, { ...room, maxParallel: 1 }).start)).toEqual([2])
  })

  it('comes to an end over a circle of dependencies', () => {
    const tasks = [task(1, { dependsOn: [2] }), task(2, { dependsOn: [1] }), task(3)]
    expect(numbers(chooseTasks(tasks, room).start)).toEqual([3])
  })

  it('counts what an agent does for other jobs', () => {
    const choice = chooseTasks([task(1), task(2)], { ...room, maxParallelOf: () => 3, liveOf: () => 2 })
    expect(numbers(choice.start)).toEqual([1])
  })

  it('runs a task that is not parallel alone', () => {
    expect(numbers(chooseTasks([task(1, { parallel: false }), task(2)], room).start)).toEqual([1])
    expect(chooseTasks([task(1, { state: running }), task(2, { parallel: false })], room).start).toEqual([])
  })

  it('keeps to every limit at once', () => {
    const anyTask = fc.record({
      parallel: fc.boolean(),
      agent: fc.constantFrom('one', 'two'),
      isRunning: fc.boolean(),
    })
    fc.assert(
      fc.property(
        fc.array(anyTask, { maxLength: 12 }),
        fc.nat(6),
        fc.nat(6),
        fc.nat(3),
        fc.nat(2),
        (specs, parallel, sessions, each, elsewhere) => {
          const tasks = specs.map((spec, index) =>
            task(index + 1, {
              parallel: spec.parallel,
              agent: spec.agent,
              ...(spec.isRunning ? { state: running } : {}),
            }),
          )
          const before = tasks.filter((one) => one.state.type === 'running')
          const { start } = chooseTasks(tasks, {
            ...room,
            maxParallel: parallel,
            places: sessions,
            maxParallelOf: () => each,
            liveOf: (agent) => elsewhere + before.filter((one) => one.agent === agent).length,
          })
          expect(start.length).toBeLessThanOrEqual(sessions)
          if (start.length > 0) expect(start.length + before.length).toBeLessThanOrEqual(parallel)
          for (const agent of ['one', 'two']) {
            const own = (list: readonly Task[]) => list.filter((one) => one.agent === agent).length
            if (own(start) > 0) expect(own(start) + own(before) + elsewhere).toBeLessThanOrEqual(each)
          }
        },
      ),
    )
  })
})
