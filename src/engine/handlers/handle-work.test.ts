import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleChange, exampleSession } from '../../../test/support/example-records.ts'
import { type LandingTrial, openLandingTrial } from '../../../test/support/landing-trial.ts'
import { until } from '../../../test/support/test-daemon.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { requestStop } from '../sessions/end/stop-session.ts'
import { createWorkHandler } from './handle-work.ts'

let trial: LandingTrial

beforeAll(async () => {
  trial = await openLandingTrial()
})

afterAll(() => trial[Symbol.asyncDispose]())

const handle = () => createWorkHandler(trial.needs as EngineNeeds, () => undefined)

describe('the work that settles an attempt', () => {
  it('lands work that an earlier process settled before it died', async () => {
    const queue = await trial.openQueue({ checks: [] })
    const { attemptId } = await queue.finish({ 'one.txt': 'one' })
    trial.dieAt('attempt-settle.after-commit')
    await expect(handle()({ type: 'attempt-settle', attemptId })).rejects.toThrow('died')
    expect((await queue.landings()).map(({ state }) => state.type)).toEqual(['queued'])
    await handle()({ type: 'attempt-settle', attemptId })
    expect((await queue.landings()).map(({ state }) => state.type)).toEqual(['landed'])
  })
})

describe('the work that stops a session by force', () => {
  it('does not wait for a stop that gives the program time', async () => {
    const job = await trial.openQueue().then((queue) => queue.job)
    const session = exampleSession(job, {
      state: { type: 'terminating', why: { type: 'cancelled', reason: 'x' } },
    })
    await trial.needs.store.transact((records) => records.sessions.insert(session, exampleChange()))
    const graces: number[] = []
    let stop: () => void = () => undefined
    const stopped = new Promise<void>((resolve) => {
      stop = resolve
    })
    const host = {
      inspect: () => Promise.resolve({ type: 'exited', code: 0 }),
      stop(_: unknown, graceMs: number) {
        graces.push(graceMs)
        if (graceMs === 0) stop()
        return stopped
      },
    }
    const needs = { ...trial.needs, host, adoptSession: () => undefined } as unknown as EngineNeeds
    const work = createWorkHandler(needs, () => undefined)
    const graceful = work({ type: 'session-stop', sessionId: session.id })
    await until(() => graces.length === 1)
    const forced = await requestStop(needs, session.id, { type: 'cancelled', reason: 'now' }, true)
    expect(forced?.ok).toBe(true)
    await work({ type: 'session-stop', sessionId: session.id, isForced: true })
    await graceful
    expect(graces).toEqual([needs.settings.stopGraceMs, 0])
  })
})
