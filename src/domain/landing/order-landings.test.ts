import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LandingId } from '../id.ts'
import type { Priority } from '../task/task.ts'
import { chooseBatch } from './choose-batch.ts'
import { orderLandings, type WaitingLanding } from './order-landings.ts'

function waiting(id: string, files: readonly string[], more: Partial<WaitingLanding> = {}): WaitingLanding {
  return { id: id as LandingId, files, priority: 'P1' as Priority, batchLimit: 64, ...more }
}

function namesOf(landings: readonly WaitingLanding[]): readonly string[] {
  return landings.map(({ id }) => id)
}

describe('the order of the queue', () => {
  it('makes one sweeping change wait for the small ones it would break', () => {
    const sweeping = waiting('a', ['one', 'two', 'three'])
    const small = [waiting('b', ['one']), waiting('c', ['two']), waiting('d', ['three'])]
    expect(namesOf(orderLandings([sweeping, ...small]))).toEqual(['b', 'c', 'd', 'a'])
  })

  it('is by urgency, then by age, if nothing overlaps', () => {
    const landings = [waiting('b', ['1']), waiting('a', ['2']), waiting('c', ['3'], { priority: 'P0' })]
    expect(namesOf(orderLandings(landings))).toEqual(['c', 'a', 'b'])
  })
})

describe('a batch', () => {
  const many = Array.from({ length: 6 }, (_, index) => waiting(`l${index}`, [`file ${index}`]))

  it('contains everything waiting if one candidate can be checked, and a share if there are more', () => {
    expect(chooseBatch(many, 1).size).toBe(6)
    expect(chooseBatch(many, 2).size).toBe(3)
    expect(chooseBatch(many, 6).size).toBe(1)
  })

  it('is no larger than the smallest limit of its landings', () => {
    const limited = many.map((landing, index) => (index === 1 ? { ...landing, batchLimit: 2 } : landing))
    expect(chooseBatch(limited, 1).size).toBe(2)
  })

  it('is never empty when something waits, and never larger than what waits', () => {
    const entries = fc.uniqueArray(fc.tuple(fc.nat(999), fc.integer({ min: 1, max: 64 })), {
      minLength: 1,
      maxLength: 40,
      selector: ([id]) => id,
    })
    fc.assert(
      fc.property(entries, fc.integer({ min: 1, max: 4 }), (listed, slots) => {
        const landings = listed.map(([id, batchLimit]) => waiting(`l${id}`, [], { batchLimit }))
        const { size, offer } = chooseBatch(landings, slots)
        expect(size).toBeGreaterThanOrEqual(1)
        expect(size).toBeLessThanOrEqual(offer.length)
        for (const { batchLimit } of offer.slice(0, size)) expect(size).toBeLessThanOrEqual(batchLimit)
      }),
    )
  })
})
