import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJobFinished, type JobState } from './job-state.ts'
import { type JobEvent, nextJobState } from './next-job-state.ts'

const anyEvent = fc.constantFrom<JobEvent>(
  { type: 'job-start' },
  { type: 'pause-request' },
  { type: 'pause-reached' },
  { type: 'job-resume' },
  { type: 'day-spent', until: '2026-01-03T00:00:00.000Z' },
  { type: 'start-refuse', refusal: { limit: 'global', value: 1, inUse: 1 }, at: new Date(0) },
  { type: 'start-admit' },
  { type: 'job-cancel', reason: 'enough' },
  { type: 'job-end', reason: 'goal-reached', evidence: [] },
  { type: 'job-error', error: 'no planner' },
)

describe('a job', () => {
  it('never leaves a final state', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), (events) => {
        let state: JobState = { type: 'pending' }
        for (const event of events) {
          const next = nextJobState(state, event)
          if (isJobFinished(state)) expect(next.ok).toBe(false)
          if (next.ok) state = next.value
        }
      }),
    )
  })

  it('pauses only if asked to, and can take the request back until then', () => {
    const running: JobState = { type: 'running', pausing: false }
    const pausing: JobState = { type: 'running', pausing: true }
    expect(nextJobState(running, { type: 'pause-reached' }).ok).toBe(false)
    expect(nextJobState(running, { type: 'pause-request' })).toEqual({ ok: true, value: pausing })
    expect(nextJobState(pausing, { type: 'pause-reached' })).toEqual({ ok: true, value: { type: 'paused' } })
    expect(nextJobState(pausing, { type: 'job-resume' })).toEqual({ ok: true, value: running })
    expect(nextJobState(running, { type: 'job-resume' }).ok).toBe(false)
  })

  it('remembers until when the daily budget is spent, unless it is about to pause', () => {
    const event: JobEvent = { type: 'day-spent', until: '2026-01-03T00:00:00.000Z' }
    expect(nextJobState({ type: 'running', pausing: false }, event)).toEqual({
      ok: true,
      value: { type: 'running', pausing: false, restsUntil: event.until },
    })
    expect(nextJobState({ type: 'running', pausing: true }, event).ok).toBe(false)
  })

  it('keeps the reason its planner waits until the planner starts', () => {
    const running: JobState = { type: 'running', pausing: false }
    const refusal = { limit: 'global', value: 1, inUse: 1 } as const
    const waiting = { ...running, waiting: { ...refusal, since: new Date(0).toISOString() } }
    expect(nextJobState(running, { type: 'start-refuse', refusal, at: new Date(0) })).toEqual({
      ok: true,
      value: waiting,
    })
    expect(nextJobState(waiting, { type: 'start-refuse', refusal, at: new Date(9) })).toEqual({
      ok: true,
      value: waiting,
    })
    expect(nextJobState(waiting, { type: 'start-admit' })).toEqual({ ok: true, value: running })
  })

  it('reports the state and the event of an illegal transition', () => {
    expect(nextJobState({ type: 'paused' }, { type: 'job-start' })).toEqual({
      ok: false,
      failure: { type: 'illegal-transition', noun: 'job', from: 'paused', event: 'job-start' },
    })
  })
})
