import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { landingIdsOf } from './candidate.ts'
import { nextQueueMove } from './next-queue-move.ts'
import { type Decide, playQueue, type QueuePlan } from './testing/play-queue.ts'

const MOST = 8

const pairs = fc.array(fc.tuple(fc.nat(MOST - 1), fc.nat(MOST - 1)), { maxLength: 4 })

/** A queue with broken work, textual conflicts, semantic conflicts, and disturbances. */
const plans: fc.Arbitrary<QueuePlan> = fc.record({
  landings: fc.array(fc.record({ isBroken: fc.boolean(), arrivesAt: fc.nat(30) }), {
    minLength: 2,
    maxLength: MOST,
  }),
  textConflicts: pairs,
  meaningConflicts: pairs,
  slots: fc.integer({ min: 1, max: 4 }),
  mode: fc.constantFrom('auto' as const, 'approve' as const),
  /** Which of the possible things happens next, one number per step. */
  chances: fc.array(fc.nat(1_000), { minLength: 20, maxLength: 120 }),
})

describe('2,000 generated queues', () => {
  it('keep the branch green at every commit, undo nothing, and decide everything for a reason', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const played = playQueue(plan)
        for (const { before, after, wasCheckedAsItIs } of played.moves) {
          expect(wasCheckedAsItIs).toBe(true)
          expect(played.isGreen(after)).toBe(true)
          for (const landed of before) expect(after).toContain(landed)
        }
        expect(played.undecided).toEqual([])
        expect(played.unjustified).toEqual([])
      }),
      { numRuns: 2_000 },
    )
  })

  it('land everything if nothing is broken or conflicts, whatever crashes in between', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const sound: QueuePlan = {
          ...plan,
          textConflicts: [],
          meaningConflicts: [],
          landings: plan.landings.map((landing) => ({ ...landing, isBroken: false })),
        }
        expect(playQueue(sound).head.size).toBeGreaterThanOrEqual(sound.landings.length)
      }),
      { numRuns: 500 },
    )
  })

  it('would expose a queue that judges candidates not checked on the head', () => {
    const hasty: Decide = (snapshot) => {
      const failed = snapshot.candidates.find(({ state }) => state.type === 'failed')
      const after =
        failed === undefined ? [] : snapshot.candidates.slice(snapshot.candidates.indexOf(failed) + 1)
      return failed === undefined || landingIdsOf(failed).length > 1
        ? nextQueueMove(snapshot)
        : { type: 'reject', candidate: failed, after }
    }
    const found = fc.check(
      fc.property(plans, (plan) => playQueue(plan, hasty).unjustified.length === 0),
      { numRuns: 2_000 },
    )
    expect(found.failed).toBe(true)
  })
})
