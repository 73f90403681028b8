import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RECOVERY_LIMITS } from '../limits/recovery-limits.ts'
import {
  RECOVER_ACTIONS,
  type RecoverPolicy,
  VISIT_TROUBLES,
  type VisitTrouble,
} from '../playbook/playbook.ts'
import {
  NO_RECOVERIES,
  type RecoveriesUsed,
  type RecoveryDecision,
  recoveryFor,
  withRecovery,
} from './recovery-for.ts'

const policy = (fields: Partial<RecoverPolicy> = {}): RecoverPolicy => ({
  perVisit: 3,
  perRun: 10,
  actions: {},
  ...fields,
})

type Story = { readonly decisions: readonly RecoveryDecision[]; readonly used: RecoveriesUsed }

/** A visit that gets into one trouble after the other, until it is given up or the run aborted. */
function suffer(
  troubles: Iterable<VisitTrouble>,
  rules = policy(),
  {
    substitutes = 0,
    canAsk = true,
    used = NO_RECOVERIES,
  }: { substitutes?: number; canAsk?: boolean; used?: RecoveriesUsed } = {},
): Story {
  const decisions: RecoveryDecision[] = []
  let counts = used
  for (const trouble of troubles) {
    const substitute = (counts.onVisit.substitute ?? 0) < substitutes ? 'other' : undefined
    const decision = recoveryFor(trouble, rules, {
      used: counts,
      substitute,
      canAsk,
      canNudge: true,
      random: 0,
    })
    decisions.push(decision)
    counts = withRecovery(counts, decision)
    if (decision.type === 'give-up' || decision.type === 'abort') break
  }
  return { decisions, used: counts }
}

/** More often than any budget allows. */
const forever = (trouble: VisitTrouble): readonly VisitTrouble[] => Array(50).fill(trouble)

const types = ({ decisions }: Story) => decisions.map(({ type }) => type)

describe('a visit in trouble', () => {
  it.each([
    ['crashed', ['restart', 'restart', 'give-up'], ['restart', 'restart', 'substitute', 'give-up']],
    ['timeout', ['nudge', 'restart', 'give-up'], ['nudge', 'restart', 'substitute', 'give-up']],
    [
      'invalid',
      ['ask-again', 'ask-again', 'escalate', 'give-up'],
      ['ask-again', 'ask-again', 'substitute', 'give-up'],
    ],
    [
      'quota',
      ['park', 'park', 'park', 'park', 'park', 'give-up'],
      ['park', 'substitute', 'park', 'park', 'park', 'park', 'give-up'],
    ],
    ['unstartable', ['restart', 'give-up'], ['restart', 'substitute', 'give-up']],
    ['uncollected', ['restart', 'restart', 'give-up'], ['restart', 'restart', 'give-up']],
  ] as const)('that is always %s is given up in the end', (trouble, alone, withAnother) => {
    expect(types(suffer(forever(trouble)))).toEqual(alone)
    expect(types(suffer(forever(trouble), policy(), { substitutes: 1 }))).toEqual(withAnother)
  })

  it('follows the list of its playbook', () => {
    const rules = policy({ actions: { crashed: ['substitute', 'abort'], timeout: ['escalate'] } })
    expect(types(suffer(forever('crashed'), rules, { substitutes: 1 }))).toEqual(['substitute', 'abort'])
    expect(types(suffer(forever('crashed'), rules))).toEqual(['abort'])
    expect(types(suffer(forever('timeout'), rules))).toEqual(['escalate', 'give-up'])
  })

  it('does not repeat for one trouble what was done about another', () => {
    expect(types(suffer(['crashed', 'timeout', 'timeout', 'timeout']))).toEqual([
      'restart',
      'nudge',
      'give-up',
    ])
  })

  it('is given up once the tries of the visit are used, and says so', () => {
    const { decisions } = suffer(forever('crashed'), policy({ perVisit: 1 }))
    expect(decisions.at(-1)).toEqual({ type: 'give-up', because: 'visit' })
    expect(types(suffer(forever('invalid'), policy({ perVisit: 0 })))).toEqual(['give-up'])
  })

  it('is given up once the tries of the run are used, and says so', () => {
    const { decisions } = suffer(forever('crashed'), policy(), { used: { onVisit: {}, inRun: 9 } })
    expect(decisions.map(({ type }) => type)).toEqual(['restart', 'give-up'])
    expect(decisions.at(-1)).toEqual({ type: 'give-up', because: 'run' })
  })

  it('is given up instead of asking a person if nobody may be asked', () => {
    const story = suffer(forever('invalid'), policy(), { canAsk: false })
    expect(types(story)).toEqual(['ask-again', 'ask-again', 'give-up'])
  })

  it('says if there was nothing left to do', () => {
    expect(suffer(forever('unstartable')).decisions.at(-1)).toEqual({ type: 'give-up', because: 'actions' })
  })
})

describe('waiting for quota', () => {
  it('costs no try of the visit or the run', () => {
    const { used } = suffer(['quota', 'quota', 'quota'])
    expect(used).toEqual({ onVisit: { park: 3 }, inRun: 0 })
    expect(types(suffer(forever('quota'), policy({ perVisit: 0, perRun: 0 })))).toHaveLength(6)
  })

  it('lasts until the quota resets, or as long as a session waits if that is unknown', () => {
    const parked = (quotaMs?: number) =>
      recoveryFor('quota', policy(), {
        used: NO_RECOVERIES,
        canAsk: true,
        canNudge: false,
        random: 0.5,
        ...(quotaMs === undefined ? {} : { quotaMs }),
      })
    expect(parked(3_600_000)).toEqual({ type: 'park', afterMs: 3_600_000 })
    expect(parked(-5)).toEqual({ type: 'park', afterMs: 1_000 })
    expect(parked()).toEqual({ type: 'park', afterMs: 15 * 60_000 })
  })

  it('is not done if the playbook leaves it out', () => {
    const rules = policy({ actions: { quota: ['substitute'] } })
    expect(types(suffer(forever('quota'), rules, { substitutes: 1 }))).toEqual(['substitute', 'give-up'])
  })
})

describe('the wait before a restart', () => {
  const waits = (random: number) =>
    [0, 1, 2, 3, 4].map((restarts) => {
      const rules = policy({ perVisit: 9, actions: { crashed: Array(9).fill('restart') } })
      const used = { onVisit: { restart: restarts }, inRun: 0 }
      const decision = recoveryFor('crashed', rules, {
        used,
        canAsk: true,
        canNudge: false,
        random,
      })
      return decision.type === 'restart' ? decision.afterMs : undefined
    })

  it('doubles up to a limit', () => {
    expect(waits(0)).toEqual([5_000, 10_000, 20_000, 30_000, 30_000])
  })

  it('is up to a fifth longer, at random', () => {
    expect(waits(1)).toEqual([6_000, 12_000, 24_000, 36_000, 36_000])
  })
})

it('always ends within its budgets, whatever the troubles and the lists', () => {
  const list = fc.array(fc.constantFrom(...RECOVER_ACTIONS), { minLength: 1, maxLength: 10 })
  const rules = fc.record({
    perVisit: fc.integer({ min: 0, max: 20 }),
    perRun: fc.integer({ min: 0, max: 20 }),
    actions: fc.dictionary(fc.constantFrom(...VISIT_TROUBLES), list, { noNullPrototype: true }),
  })
  const troubles = fc.infiniteStream(fc.constantFrom(...VISIT_TROUBLES))
  const earlier = fc.integer({ min: 0, max: 20 })
  fc.assert(
    fc.property(
      rules,
      troubles,
      earlier,
      fc.integer({ min: 0, max: 4 }),
      (given, stream, inRun, substitutes) => {
        // Each list has at most ten entries, and each wait for quota is counted.
        const most = given.perVisit + Math.max(10, RECOVERY_LIMITS.quotaWaits) + 1
        const { decisions, used } = suffer(take(stream, most + 1), given, {
          substitutes,
          used: { onVisit: {}, inRun },
        })
        const { park = 0, abort = 0, ...tries } = used.onVisit
        const spent = Object.values(tries).reduce((sum, count) => sum + count, 0)
        expect(decisions.length).toBeLessThanOrEqual(most)
        expect(['give-up', 'abort']).toContain(decisions.at(-1)?.type)
        expect(spent).toBeLessThanOrEqual(given.perVisit)
        expect(used.inRun).toBe(inRun + spent)
        expect(used.inRun).toBeLessThanOrEqual(Math.max(inRun, given.perRun))
        expect(used.onVisit.substitute ?? 0).toBeLessThanOrEqual(substitutes)
        expect(park + abort + spent).toBe(decisions.filter(({ type }) => type !== 'give-up').length)
      },
    ),
    { numRuns: 2_000 },
  )
})

function* take<Item>(items: Iterable<Item>, count: number) {
  let left = count
  for (const item of items) {
    if (left <= 0) return
    left -= 1
    yield item
  }
}
