import { expect } from 'vitest'
import type { AgentEvent } from '../../src/domain/event/agent-event.ts'

const EVENT_LIMIT = 256 * 1024

/** Expects an event that a database can store and return unchanged, and that isn't too large. */
export function expectStorable(event: AgentEvent): void {
  const text = JSON.stringify(event)
  const parsed: unknown = JSON.parse(text, (key, value: unknown) => {
    expectStorableText(key)
    if (typeof value === 'string') expectStorableText(value)
    return value
  })
  expect(parsed).toEqual(event)
  expect(text.length).toBeLessThan(EVENT_LIMIT)
}

function expectStorableText(text: string): void {
  if (text.includes('\0') || /\p{Surrogate}/u.test(text))
    throw new Error(`cannot be stored: ${JSON.stringify(text)}`)
}

export function expectUnpolluted(): void {
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
}
