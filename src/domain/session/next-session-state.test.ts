import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextSessionState, type SessionEvent } from './next-session-state.ts'
import type { SessionState } from './session-state.ts'

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

  const running = { type: 'running', pid: 1, startTime: '1' } as const
  const why = { type: 'asked', reason: 'lunch' } as const

  it('rests when it is suspended, and goes on when its program is gone', () => {
    const suspended = nextSessionState(running, { type: 'suspend-request', why })
    if (!suspended.ok) throw new Error('a running session can be suspended')
    const early = nextSessionState(suspended.value, { type: 'host-start', pid: 2, startTime: '2' })
    expect(early.ok).toBe(false)
    const asked = nextSessionState(suspended.value, { type: 'resume-request', prompt: 'go on' })
    if (!asked.ok) throw new Error('a suspended session can be resumed')
    const rested = nextSessionState(asked.value, { type: 'host-end', end: { type: 'exited', code: 0 } })
    expect(rested).toEqual({
      ok: true,
      value: { type: 'suspended', why, isOver: true, resume: { prompt: 'go on' } },
    })
    if (!rested.ok) throw new Error('its program can end')
    const placed = nextSessionState(rested.value, { type: 'start-admit', at: new Date(0) })
    if (!placed.ok) throw new Error('it can be given a place')
    const again = nextSessionState(placed.value, { type: 'host-start', pid: 2, startTime: '2' })
    expect(again).toEqual({ ok: true, value: { type: 'running', pid: 2, startTime: '2' } })
  })

  const refusal = { limit: 'global', value: 4, inUse: 4 } as const
  const stop = { type: 'stop-request', why: { type: 'cancelled', reason: 'enough' } } as const

  it('waits for a place, keeps what it is to be resumed with, and counts from when it began to wait', () => {
    const resume = { prompt: 'go on' }
    const refused = nextSessionState(
      { type: 'suspended', why, isOver: true, resume },
      { type: 'start-refuse', refusal, at: new Date(0) },
    )
    const waiting = { type: 'waiting', ...refusal, since: new Date(0).toISOString(), resume } as const
    expect(refused).toEqual({ ok: true, value: waiting })
    const other = { limit: 'agent', value: 1, inUse: 1 } as const
    expect(nextSessionState(waiting, { type: 'start-refuse', refusal: other, at: new Date(9) })).toEqual({
      ok: true,
      value: { ...waiting, ...other },
    })
    expect(nextSessionState(waiting, { type: 'start-admit', at: new Date(9) })).toEqual({
      ok: true,
      value: { type: 'starting', admittedAt: new Date(9).toISOString(), resume },
    })
  })

  it('that waits for a place ends as soon as it is stopped', () => {
    const waiting = { type: 'waiting', ...refusal, since: new Date(0).toISOString() } as const
    expect(nextSessionState(waiting, stop)).toEqual({
      ok: true,
      value: { type: 'terminated', end: stop.why },
    })
  })

  it('that has its place is not refused any more', () => {
    const placed = { type: 'starting', admittedAt: new Date(0).toISOString() } as const
    for (const state of [placed, running]) {
      expect(nextSessionState(state, { type: 'start-refuse', refusal, at: new Date(0) }).ok).toBe(false)
      expect(nextSessionState(state, { type: 'start-admit', at: new Date(0) }).ok).toBe(false)
    }
  })

  it('that rests is over at once when it is stopped', () => {
    expect(nextSessionState({ type: 'suspended', why, isOver: true }, stop)).toEqual({
      ok: true,
      value: { type: 'terminated', end: { type: 'cancelled', reason: 'enough' } },
    })
    expect(nextSessionState({ type: 'suspended', why, isOver: false }, stop)).toMatchObject({
      ok: true,
      value: { type: 'terminating' },
    })
  })

  it('can be stopped harder than it was, for the reason it was stopped first', () => {
    const first = { type: 'cancelled', reason: 'enough' } as const
    const harder = nextSessionState(
      { type: 'terminating', why: first },
      { type: 'stop-request', why: { type: 'cancelled', reason: 'now' }, isForced: true },
    )
    expect(harder).toEqual({ ok: true, value: { type: 'terminating', why: first, isForced: true } })
    const softer = nextSessionState({ type: 'terminating', why: first }, { type: 'stop-request', why: first })
    expect(softer.ok).toBe(false)
  })

  it('moves only where the table of a session says, whatever happens in whatever order', () => {
    const allowed: Readonly<Record<string, readonly string[]>> = {
      waiting: ['waiting', 'starting', 'terminated'],
      starting: ['waiting', 'starting', 'running', 'terminating', 'terminated'],
      running: ['suspended', 'terminating', 'terminated'],
      suspended: ['suspended', 'waiting', 'starting', 'terminating', 'terminated'],
      terminating: ['terminating', 'terminated'],
      terminated: [],
    }
    const events: readonly SessionEvent[] = [
      { type: 'start-admit', at: new Date(0) },
      { type: 'start-refuse', refusal, at: new Date(0) },
      { type: 'host-start', pid: 2, startTime: '2' },
      { type: 'suspend-request', why },
      { type: 'resume-request', prompt: 'go on' },
      { type: 'stop-request', why: { type: 'timed-out', afterMs: 1 } },
      { type: 'host-end', end: { type: 'signalled', signal: 9 } },
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 12 }), (story) => {
        let state: SessionState = { type: 'starting' }
        for (const event of story) {
          const next = nextSessionState(state, event)
          if (!next.ok) continue
          expect(allowed[state.type]).toContain(next.value.type)
          state = next.value
        }
      }),
    )
  })
})
