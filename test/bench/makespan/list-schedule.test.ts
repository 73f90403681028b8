import { describe, expect, it } from 'vitest'
import { criticalPath, listSchedule } from './list-schedule.ts'
import { simulatedTasks } from './simulated-tasks.ts'

const task = (number: number, durationMs: number, dependsOn: readonly number[] = []) => ({
  number,
  durationMs,
  dependsOn,
})

describe('the makespan of a list of tasks', () => {
  it('is the sum of all tasks if one runs at a time', () => {
    expect(listSchedule([task(1, 10), task(2, 20), task(3, 30)], 1)).toBe(60)
  })

  it('uses every free place, in the order of the tasks', () => {
    expect(listSchedule([task(1, 30), task(2, 10), task(3, 10), task(4, 15)], 2)).toBe(35)
  })

  it('waits for dependencies while other tasks start', () => {
    expect(listSchedule([task(1, 30), task(2, 10, [1]), task(3, 20)], 2)).toBe(40)
    expect(criticalPath([task(1, 30), task(2, 10, [1]), task(3, 20)])).toBe(40)
  })

  it('is the longest chain if there are enough places, and never less', () => {
    for (const seed of [1, 2, 3]) {
      const tasks = simulatedTasks(24, seed, { shortestMs: 200, longestMs: 1_500 })
      expect(listSchedule(tasks, 4)).toBeGreaterThanOrEqual(criticalPath(tasks))
      expect(listSchedule(tasks, 24)).toBe(criticalPath(tasks))
    }
  })
})
