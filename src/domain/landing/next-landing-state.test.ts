import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CandidateId } from '../id.ts'
import { isLandingFinished, type LandingState } from './landing.ts'
import { type LandingEvent, nextLandingState } from './next-landing-state.ts'

const candidateId = 'cnd_1' as CandidateId

const events = fc.array(
  fc.oneof(
    fc.constant<LandingEvent>({ type: 'merge-end', candidateId }),
    fc.constant<LandingEvent>({ type: 'merge-conflict', paths: ['a'] }),
    fc.constant<LandingEvent>({ type: 'merge-contained', commit: 'c', tree: 't' }),
    fc.constant<LandingEvent>({ type: 'candidate-drop' }),
    fc.constant<LandingEvent>({ type: 'branch-moved', commit: 'c', tree: 't' }),
    fc.constant<LandingEvent>({ type: 'landing-reject', reason: 'no' }),
  ),
  { maxLength: 12 },
)

function play(listed: readonly LandingEvent[]): readonly LandingState[] {
  const states: LandingState[] = [{ type: 'queued' }]
  for (const event of listed) {
    const next = nextLandingState(states.at(-1) ?? { type: 'queued' }, event)
    if (next.ok) states.push(next.value)
  }
  return states
}

describe('a landing', () => {
  it('lands only as part of a candidate, unless the branch already contains it', () => {
    fc.assert(
      fc.property(events, (listed) => {
        const states = play(listed)
        const landed = states.findIndex(({ type }) => type === 'landed')
        if (landed === -1) return
        const state = states[landed]
        const isContained = state?.type === 'landed' && state.isContained === true
        expect(states[landed - 1]?.type).toBe(isContained ? 'queued' : 'checking')
      }),
    )
  })

  it('never changes once it has finished', () => {
    fc.assert(
      fc.property(events, (listed) => {
        const states = play(listed)
        const over = states.findIndex(isLandingFinished)
        expect(over === -1 || over === states.length - 1).toBe(true)
      }),
    )
  })

  it('returns to the queue when its candidate will not land', () => {
    expect(nextLandingState({ type: 'checking', candidateId }, { type: 'candidate-drop' })).toEqual({
      ok: true,
      value: { type: 'queued' },
    })
    expect(nextLandingState({ type: 'queued' }, { type: 'candidate-drop' }).ok).toBe(false)
  })
})
