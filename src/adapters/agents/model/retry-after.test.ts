import { describe, expect, it } from 'vitest'
import { retryAfterOf } from './retry-after.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')

describe('the waiting time that a service asks for', () => {
  it.each<[Record<string, string> | undefined, number | undefined]>([
    [{ 'retry-after': '3' }, 3_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': '9', 'retry-after-ms': '20' }, 20],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' }, 60_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
    [undefined, undefined],
  ])('is read from %j', (headers, expected) => {
    expect(retryAfterOf(headers, NOW)).toBe(expected)
  })
})
