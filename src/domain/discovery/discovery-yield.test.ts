import { describe, expect, it } from 'vitest'
import { discoveryYield } from './discovery-yield.ts'

describe('the yield of discoveries', () => {
  it('counts how many tasks of each finished cycle landed', () => {
    const cycles = [
      { number: 1, phase: 'done', tasksDiscovered: 5, tasksCompleted: 3 },
      { number: 2, phase: 'done', tasksDiscovered: 0, tasksCompleted: 0 },
      { number: 3, phase: 'done', tasksDiscovered: 2, tasksCompleted: 0 },
      { number: 4, phase: 'execution', tasksDiscovered: 2, tasksCompleted: 0 },
    ] as const
    expect(discoveryYield(cycles)).toEqual([
      { cycle: 1, discovered: 5, landed: 3 },
      { cycle: 3, discovered: 2, landed: 0 },
    ])
  })
})
