import { describe, expect, it } from 'vitest'
import type { ApprovalId, RunId, SessionId } from '../id.ts'
import { nextVisitState, type VisitEvent } from './next-visit-state.ts'
import type { VisitState } from './visit.ts'

const sessionId = 'ses_1' as SessionId
const checking: VisitState = { type: 'checking', checkIndex: 0, sessionId, suspects: [], lost: 0 }
const STATES: readonly VisitState[] = [
  { type: 'waiting' },
  { type: 'working' },
  checking,
  { type: 'asking', approvalId: 'apr_1' as ApprovalId },
  { type: 'running-child', runId: 'run_2' as RunId },
  { type: 'settled', outcome: 'done' },
  { type: 'cancelled' },
]
const OPEN: readonly VisitState['type'][] = ['waiting', 'working', 'checking', 'asking', 'running-child']

const EVENTS: readonly (readonly [VisitEvent, readonly VisitState['type'][], VisitState['type']])[] = [
  [{ type: 'attempt-start' }, ['waiting'], 'working'],
  [{ type: 'checks-start', sessionId }, ['waiting'], 'checking'],
  [{ type: 'check-next', sessionId }, ['checking'], 'checking'],
  [{ type: 'check-again', sessionId, why: 'lost' }, ['checking'], 'checking'],
  [{ type: 'gate-ask', approvalId: 'apr_1' as ApprovalId }, ['waiting'], 'asking'],
  [{ type: 'child-start', runId: 'run_2' as RunId }, ['waiting'], 'running-child'],
  [{ type: 'visit-retry', until: '2026-01-01T00:00:00Z' }, ['working', 'asking'], 'waiting'],
  [{ type: 'quota-stop' }, ['working'], 'working'],
  [{ type: 'visit-escalate', approvalId: 'apr_1' as ApprovalId }, ['working'], 'asking'],
  [{ type: 'visit-settle', outcome: 'failed' }, OPEN, 'settled'],
  [{ type: 'visit-cancel' }, OPEN, 'cancelled'],
]

describe('a visit', () => {
  it.each(EVENTS)('accepts %j only from its legal states', (event, from, to) => {
    for (const state of STATES) {
      const next = nextVisitState(state, event)
      const expected = from.includes(state.type) ? to : 'illegal'
      expect([state.type, next.ok ? next.value.type : 'illegal']).toEqual([state.type, expected])
    }
  })

  it('keeps the time before which it is not tried again', () => {
    const until = '2026-01-01T00:00:00Z'
    const next = nextVisitState({ type: 'working' }, { type: 'visit-retry', until })
    expect(next).toEqual({ ok: true, value: { type: 'waiting', until } })
  })
})
