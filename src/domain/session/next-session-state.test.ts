import { describe, expect, it } from 'vitest'
import { nextSessionState } from './next-session-state.ts'

describe('a session', () => {
  it('ends by the first cause: what dies because it was cancelled is cancelled', () => {
    const stopping = nextSessionState(
      { type: 'running', pid: 1, startTime: '1' },
      { type: 'stop-request', why: { type: 'cancelled', reason: 'enough' } },
    )
    if (!stopping.ok) throw new Error('a running session can be stopped')
    const ended = nextSessionState(stopping.value, {
      type: 'host-end',
      end: { type: 'signalled', signal: 9 },
    })
    expect(ended).toEqual({
      ok: true,
      value: { type: 'terminated', end: { type: 'cancelled', reason: 'enough' } },
    })
  })

  it('can end before it was seen to start', () => {
    expect(
      nextSessionState({ type: 'starting' }, { type: 'host-end', end: { type: 'exited', code: 0 } }).ok,
    ).toBe(true)
  })

  it('ends once', () => {
    const over = { type: 'terminated', end: { type: 'exited', code: 0 } } as const
    expect(nextSessionState(over, { type: 'host-end', end: { type: 'exited', code: 1 } }).ok).toBe(false)
  })
})
