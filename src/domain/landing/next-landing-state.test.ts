import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionId } from '../id.ts'
import type { LandingState } from './landing-state.ts'
import { type LandingEvent, nextLandingState } from './next-landing-state.ts'

const sessionId = 'ses_1' as SessionId
const anyEvent = fc.oneof(
  fc.record({
    type: fc.constant('merge-end' as const),
    onto: fc.constant('o'),
    commit: fc.constantFrom('c1', 'c2'),
    tree: fc.constantFrom('t1', 't2'),
    sessionId: fc.constant(sessionId),
  }),
  fc.constantFrom<LandingEvent>(
    { type: 'merge-conflict', paths: ['a'] },
    { type: 'check-next', sessionId },
    { type: 'check-lost' },
    { type: 'checks-end' },
    { type: 'branch-moved' },
    { type: 'branch-lost' },
    { type: 'landing-reject', reason: 'no' },
  ),
)

describe('a landing', () => {
  it('lands only the tree it was last merged to, and only after its checks', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
        const steps = play(events)
        const landed = steps.findIndex((step) => step.state.type === 'landed')
        if (landed === -1) return
        const before = steps.slice(0, landed).map((step) => step.event)
        const merge = before.findLastIndex((event) => event.type === 'merge-end')
        expect(before.slice(merge).map((event) => event.type)).toContain('checks-end')
        expect(steps[landed]?.state).toMatchObject({ type: 'landed', ...treeOf(before[merge]) })
        expect(landed).toBe(steps.length - 1)
      }),
    )
  })

  it('starts over when the branch was moved by somebody else', () => {
    const checked: LandingState = { type: 'checked', onto: 'o', commit: 'c', tree: 't' }
    expect(nextLandingState(checked, { type: 'branch-lost' })).toEqual({
      ok: true,
      value: { type: 'queued' },
    })
  })

  it('counts as checked without checks only because it was said that there are none', () => {
    const next = nextLandingState(
      { type: 'queued' },
      { type: 'merge-end', onto: 'o', commit: 'c', tree: 't' },
    )
    expect(next).toEqual({ ok: true, value: { type: 'checked', onto: 'o', commit: 'c', tree: 't' } })
  })
})

type Step = { readonly event: LandingEvent; readonly state: LandingState }

/** The events that were legal, each with the state it led to. */
function play(events: readonly LandingEvent[]): readonly Step[] {
  const steps: Step[] = []
  for (const event of events) {
    const next = nextLandingState(steps.at(-1)?.state ?? { type: 'queued' }, event)
    if (next.ok) steps.push({ event, state: next.value })
  }
  return steps
}

function treeOf(event: LandingEvent | undefined): object {
  return event?.type === 'merge-end' ? { commit: event.commit, tree: event.tree } : {}
}
