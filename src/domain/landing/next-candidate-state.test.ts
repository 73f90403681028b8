import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ApprovalId, SessionId } from '../id.ts'
import { type CandidateState, isCandidateFinished } from './candidate-state.ts'
import { type CandidateEvent, nextCandidateState } from './next-candidate-state.ts'

const sessionId = 'ses_2' as SessionId
const approvalId = 'apr_1' as ApprovalId
const FIRST: CandidateState = {
  type: 'checking',
  checkIndex: 0,
  sessionId: 'ses_1' as SessionId,
  suspects: [],
  lost: 0,
}

const events = fc.array(
  fc.constantFrom<CandidateEvent>(
    { type: 'check-next', sessionId },
    { type: 'check-again', sessionId, why: 'failed' },
    { type: 'check-again', sessionId, why: 'lost' },
    { type: 'checks-pass' },
    { type: 'check-fail', reason: 'no' },
    { type: 'approval-ask', approvalId },
    { type: 'approval-allow' },
    { type: 'approval-deny', reason: 'no' },
    { type: 'branch-moved' },
    { type: 'candidate-drop', reason: 'gone' },
  ),
  { maxLength: 20 },
)

function play(listed: readonly CandidateEvent[]): readonly CandidateState[] {
  const states = [FIRST]
  for (const event of listed) {
    const next = nextCandidateState(states.at(-1) ?? FIRST, event)
    if (next.ok) states.push(next.value)
  }
  return states
}

describe('a candidate', () => {
  it('lands only after it has passed, and after approval if that is required', () => {
    fc.assert(
      fc.property(events, (listed) => {
        const types = play(listed).map(({ type }) => type)
        const landed = types.indexOf('landed')
        if (landed === -1) return
        expect(types).toContain('passed')
        expect(types).not.toContain('failed')
        if (types.includes('asking')) expect(types[landed - 1]).toBe('allowed')
      }),
    )
  })

  it('never changes once it has landed or was dropped', () => {
    fc.assert(
      fc.property(events, (listed) => {
        const states = play(listed)
        const over = states.findIndex(isCandidateFinished)
        expect(over === -1 || over === states.length - 1).toBe(true)
      }),
    )
  })

  it('restarts from the first check, and remembers failed and lost checks', () => {
    const again = play([
      { type: 'check-next', sessionId },
      { type: 'check-again', sessionId, why: 'failed' },
      { type: 'check-again', sessionId, why: 'lost' },
    ]).at(-1)
    expect(again).toMatchObject({ checkIndex: 0, suspects: [1], lost: 1 })
  })
})
