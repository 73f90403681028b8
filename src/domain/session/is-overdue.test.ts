import { describe, expect, it } from 'vitest'
import { isOverdue } from './is-overdue.ts'

const LIMIT = 60_000

describe('isOverdue', () => {
  it.each([
    ['its host counted the whole limit, even if this daemon has just started', 60_000, 60_000, true],
    ['neither has counted that much', 40_000, 45_000, false],
    ['the daemon has, and the host is between two looks', 55_000, 60_000, true],
    ['the daemon has, but the host was stopped for a while', 20_000, 60_000, false],
    ['the daemon has counted twice as much and the host hardly anything', 1_000, 120_000, true],
    ['the host does not count, and the daemon has counted that much', undefined, 60_000, true],
    ['the host does not count, and the daemon has not', undefined, 59_000, false],
  ])('if %s', (_, hostMs, watchedMs, expected) => {
    expect(isOverdue(LIMIT, { hostMs, watchedMs })).toBe(expected)
  })

  it.each([
    [0, 2_000, false],
    [1_000, 2_000, true],
    [3_000, 6_000, true],
    [3_000, 8_000, false],
  ])('expects early looks: after %i ms by the host with a limit of %i ms', (hostMs, limitMs, expected) => {
    expect(isOverdue(limitMs, { hostMs, watchedMs: limitMs })).toBe(expected)
  })
})
