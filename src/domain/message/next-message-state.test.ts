import { describe, expect, it } from 'vitest'
import { formatId } from '../id.ts'
import type { MessageState } from './message.ts'
import { nextMessageState } from './next-message-state.ts'

const one = formatId('session', 1, new Uint8Array(11))
const other = formatId('session', 2, new Uint8Array(11))
const queued: MessageState = { type: 'queued' }
const delivered: MessageState = { type: 'delivered', to: one }

describe('a receipt', () => {
  it('goes from queued to delivered to acknowledged', () => {
    expect(nextMessageState(queued, { type: 'message-delivery', to: one })).toEqual({
      ok: true,
      value: delivered,
    })
    expect(nextMessageState(delivered, { type: 'message-acknowledge', by: one })).toEqual({
      ok: true,
      value: { type: 'acknowledged', by: one },
    })
  })

  it('is not acknowledged before delivery, nor by anyone but the reader', () => {
    expect(nextMessageState(queued, { type: 'message-acknowledge', by: one }).ok).toBe(false)
    expect(nextMessageState(delivered, { type: 'message-acknowledge', by: other }).ok).toBe(false)
  })

  it('passes to the next reader until someone acknowledges it', () => {
    expect(nextMessageState(delivered, { type: 'message-delivery', to: other })).toEqual({
      ok: true,
      value: { type: 'delivered', to: other },
    })
  })

  it.each<MessageState>([
    { type: 'acknowledged', by: one },
    { type: 'failed', reason: 'nobody was left to read it' },
  ])('never leaves $type', (final) => {
    expect(nextMessageState(final, { type: 'message-delivery', to: other }).ok).toBe(false)
    expect(nextMessageState(final, { type: 'message-acknowledge', by: one }).ok).toBe(false)
    expect(nextMessageState(final, { type: 'message-fail', reason: 'late' }).ok).toBe(false)
  })
})
