import { describe, expect, it } from 'vitest'
import { exampleCycle, exampleJob, exampleTask } from '../../../test/support/example-records.ts'
import type { Task } from '../task/task.ts'
import type { TaskState } from '../task/task-state.ts'
import { chainOf, openConflicts } from './conflict-chain.ts'
import { knownWork } from './without-duplicates.ts'

const cycle = exampleCycle(exampleJob())
const CONFLICT: TaskState = { type: 'blocked', reason: 'conflicts', paths: ['a.ts'] }
const LANDED: TaskState = { type: 'completed', commit: 'c' }

function task(number: number, state: TaskState, merges?: Task): Task {
  const origin = merges && ({ type: 'conflict', taskId: merges.id, tip: 't', paths: ['a.ts'] } as const)
  return exampleTask(cycle, { number, state, ...(origin === undefined ? {} : { origin }) })
}

/** A task, and this many merges of it, each of which conflicted too. */
function chainWith(merges: number): readonly Task[] {
  const tasks = [task(1, CONFLICT)]
  for (let number = 2; number <= merges + 1; number += 1) tasks.push(task(number, CONFLICT, tasks.at(-1)))
  return tasks
}

function numbers(tasks: readonly Task[]): readonly number[] {
  return tasks.map(({ number }) => number)
}

describe('open conflicts', () => {
  it('belong to tasks blocked by paths, not to those blocked by something else', () => {
    const other = task(2, { type: 'blocked', reason: 'its dependency failed', paths: [] })
    const { mergeable, stuck } = openConflicts([task(1, CONFLICT), other, task(3, LANDED)])
    expect(numbers(mergeable)).toEqual([1])
    expect(stuck).toEqual([])
  })

  it('are picked up once, whatever came of it', () => {
    const first = task(1, CONFLICT)
    for (const state of [{ type: 'pending' }, LANDED, { type: 'failed', reason: 'r' }] as const) {
      expect(openConflicts([first, task(2, state, first)]).mergeable).toEqual([])
    }
  })

  it.each([0, 1, 2])('are merged again after %i conflicting merges', (merges) => {
    expect(numbers(openConflicts(chainWith(merges)).mergeable)).toEqual([merges + 1])
  })

  it('are left to a person after three', () => {
    const { mergeable, stuck } = openConflicts(chainWith(3))
    expect(mergeable).toEqual([])
    expect(numbers(stuck)).toEqual([4])
  })

  it('lead back to the work they began with', () => {
    const tasks = chainWith(2)
    expect(numbers(chainOf(tasks[2] ?? task(9, LANDED), tasks))).toEqual([3, 2, 1])
  })
})

describe('known work', () => {
  it('is what landed, is in progress, or is being merged by such a task', () => {
    const merged = task(1, CONFLICT)
    const lost = task(3, CONFLICT)
    const tasks = [
      merged,
      task(2, LANDED, merged),
      lost,
      task(4, { type: 'failed', reason: 'r' }, lost),
      task(5, { type: 'pending' }),
      task(6, CONFLICT),
      task(7, { type: 'failed', reason: 'r' }),
    ]
    const names = knownWork(tasks).map(({ name }) => name)
    expect(new Set(names)).toEqual(new Set(['task t1-1', 'task t1-2', 'task t1-5', 'task t1-6']))
  })
})
