import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ids } from '../../../test/support/example-records.ts'
import { waitFor } from './wait-for.ts'
import { createWaitingReaders } from './waiting-readers.ts'

const PATIENCE = { waitMs: 20_000 }

// Time stands still, so whatever happens without `advanceTimers` happens without a pause.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function trial() {
  const streams = new Set<() => void>()
  const needs = {
    waitingReaders: createWaitingReaders(),
    feed: {
      subscribe(_stream: unknown, onWake: () => void) {
        streams.add(onWake)
        return { [Symbol.dispose]: () => void streams.delete(onWake) }
      },
    },
  }
  const waiter = { sessionId: ids.next('session'), stream: ids.next('job') }
  const grow = () => streams.forEach((onWake) => void onWake())
  const call = () => needs.waitingReaders.wake([waiter.sessionId])
  return { needs, waiter, grow, call, streams }
}

/** Finds something at the second look. */
function atSecondLook(afterFirst: () => void) {
  let looks = 0
  return {
    count: () => looks,
    async inspect() {
      looks += 1
      if (looks === 1) afterFirst()
      return looks === 2 ? 'found' : undefined
    },
  }
}

it('looks again at once when the session is called', async () => {
  const { needs, waiter, call, streams } = trial()
  const { inspect } = atSecondLook(() => setImmediate(call))
  expect(await waitFor(needs, waiter, PATIENCE, inspect)).toBe('found')
  expect(streams.size).toBe(0)
})

it('does not miss a call that comes while it looks', async () => {
  const { needs, waiter, call } = trial()
  const { inspect } = atSecondLook(call)
  expect(await waitFor(needs, waiter, PATIENCE, inspect)).toBe('found')
})

it('pauses before it looks again because the stream has grown', async () => {
  const { needs, waiter, grow } = trial()
  const { inspect, count } = atSecondLook(grow)
  const waiting = waitFor(needs, waiter, PATIENCE, inspect)
  await vi.advanceTimersByTimeAsync(199)
  expect(count()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await waiting).toBe('found')
})

it('ends when its caller is gone', async () => {
  const { needs, waiter } = trial()
  const leaving = new AbortController()
  const patience = { ...PATIENCE, signal: leaving.signal }
  const waiting = waitFor(needs, waiter, patience, async () => undefined)
  setImmediate(() => leaving.abort())
  expect(await waiting).toBeUndefined()
})
