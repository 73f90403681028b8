import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextSessionState, type SessionEvent } from './next-session-state.ts'
import type { SessionState } from './session-state.ts'

describe('a session', () => {
  it('ends by the first cause: a program that dies because it was cancelled is cancelled', () => {
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

  it('can be suspended, and resumes once its program has exited', () => {
    const suspended = nextSessionState(running, { type: 'suspend-request', why })
    if (!suspended.ok) throw new Error('a running session can be suspended')
    const early = nextSessionState(suspended.value, { type: 'host-start', pid: 2, startTime: '2' })
    expect(early.ok).toBe(false)
    const asked = nextSessionState(suspended.value, { type: 'resume-request', prompt: 'go on' })
    if (!asked.ok) throw new Error('a suspended session can be resumed')
    const idle = nextSessionState(asked.value, { type: 'host-end', end: { type: 'exited', code: 0 } })
    expect(idle).toEqual({
      ok: true,
      value: { type: 'suspended', why, hasExited: true, resume: { prompt: 'go on' } },
    })
    if (!idle.ok) throw new Error('its program can end')
    const placed = nextSessionState(idle.value, { type: 'start-admit', at: new Date(0) })
    if (!placed.ok) throw new Error('it can be given a place')
    const again = nextSessionState(placed.value, { type: 'host-start', pid: 2, startTime: '2' })
    expect(again).toEqual({ ok: true, value: { type: 'running', pid: 2, startTime: '2' } })
  })

  it('tries again on request only if its program could not work', () => {
    const retry = { type: 'retry-request', at: new Date(0) } as const
    const unready = { type: 'unready', cause: 'login', reason: 'no log-in', remedy: 'Log in' } as const
    const state = { type: 'suspended', why: unready, hasExited: true } as const
    expect(nextSessionState(state, retry)).toEqual({
      ok: true,
      value: { ...state, why: { ...unready, until: '1970-01-01T00:00:00.000Z' } },
    })
    expect(nextSessionState({ ...state, why }, retry).ok).toBe(false)
    expect(nextSessionState({ ...state, resume: { prompt: 'go on' } }, retry).ok).toBe(false)
  })

  it('is suspended instead of ended if its failed turn turns out to be due to its program', () => {
    const unready = { type: 'unready', cause: 'login', reason: 'no key', remedy: 'Set it' } as const
    const suspend = { type: 'suspend-request', why: unready } as const
    const finished = (type: 'failed' | 'refused') =>
      ({ type: 'finished', turn: { type, reason: 'r' } }) as const
    const ending = { type: 'terminating', why: finished('failed') } as const
    expect(nextSessionState(ending, suspend)).toEqual({
      ok: true,
      value: { type: 'suspended', why: unready, hasExited: false },
    })
    expect(nextSessionState(ending, { type: 'suspend-request', why }).ok).toBe(false)
    expect(nextSessionState({ ...ending, isForced: true }, suspend).ok).toBe(false)
    expect(nextSessionState({ ...ending, why: finished('refused') }, suspend).ok).toBe(false)
    expect(nextSessionState({ ...ending, why: { type: 'cancelled' } }, suspend).ok).toBe(false)
  })

  const refusal = { limit: 'global', value: 4, inUse: 4 } as const
  const stop = { type: 'stop-request', why: { type: 'cancelled', reason: 'enough' } } as const

  it('waits for a place, keeps its resume prompt and the time it began to wait', () => {
    const resume = { prompt: 'go on' }
    const refused = nextSessionState(
      { type: 'suspended', why, hasExited: true, resume },
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

  it('ends as soon as it is stopped while it waits for a place', () => {
    const waiting = { type: 'waiting', ...refusal, since: new Date(0).toISOString() } as const
    expect(nextSessionState(waiting, stop)).toEqual({
      ok: true,
      value: { type: 'terminated', end: stop.why },
    })
  })

  it('is never refused once it has a place', () => {
    const placed = { type: 'starting', admittedAt: new Date(0).toISOString() } as const
    for (const state of [placed, running]) {
      expect(nextSessionState(state, { type: 'start-refuse', refusal, at: new Date(0) }).ok).toBe(false)
      expect(nextSessionState(state, { type: 'start-admit', at: new Date(0) }).ok).toBe(false)
    }
  })

  it('ends at once when it is stopped while suspended', () => {
    expect(nextSessionState({ type: 'suspended', why, hasExited: true }, stop)).toEqual({
      ok: true,
      value: { type: 'terminated', end: { type: 'cancelled', reason: 'enough' } },
    })
    expect(nextSessionState({ type: 'suspended', why, hasExited: false }, stop)).toMatchObject({
      ok: true,
      value: { type: 'terminating' },
    })
  })

  it('can be stopped harder, and keeps the reason it was first stopped for', () => {
    const first = { type: 'cancelled', reason: 'enough' } as const
    const harder = nextSessionState(
      { type: 'terminating', why: first },
      { type: 'stop-request', why: { type: 'cancelled', reason: 'now' }, isForced: true },
    )
    expect(harder).toEqual({ ok: true, value: { type: 'terminating', why: first, isForced: true } })
    const softer = nextSessionState({ type: 'terminating', why: first }, { type: 'stop-request', why: first })
    expect(softer.ok).toBe(false)
  })

  it('makes only legal transitions, whatever happens in whatever order', () => {
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
      { type: 'suspend-request', why: { type: 'unready', cause: 'login', reason: 'r', remedy: 'm' } },
      { type: 'retry-request', at: new Date(0) },
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
