import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatId, kindOfId, parseId } from './id.ts'

describe('an id', () => {
  it('names its kind and sorts by creation time', () => {
    const random = fc.uint8Array({ minLength: 11, maxLength: 11 })
    const moment = fc.integer({ min: 1_600_000_000_000, max: 4_000_000_000_000 })
    fc.assert(
      fc.property(moment, moment, random, random, (first, second, one, other) => {
        const earlier = formatId('job', Math.min(first, second), one)
        const later = formatId('job', Math.max(first, second) + 1, other)
        expect(parseId('job', earlier)).toBe(earlier)
        expect(parseId('task', earlier)).toBeUndefined()
        expect(kindOfId(earlier)).toBe('job')
        expect(earlier < later).toBe(true)
      }),
    )
  })

  it('is not accepted if it only looks like one', () => {
    for (const text of [
      '',
      'job_',
      'job_1',
      'job_ABCDEFGHIJKLMNOPQRST',
      'job_0123456789abcdefghi/',
      "job_';--",
    ]) {
      expect(kindOfId(text)).toBeUndefined()
    }
  })
})
