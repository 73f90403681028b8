import { storableText } from '../shared/storable-text.ts'
import type { AcpState } from './acp-state.ts'
import { type AcpStep, changed, learnt } from './acp-step.ts'

/** A message is reported in events of about this size: not for every word, and not only at its end. */
const EVENT_BYTES = 4 * 1024
/** How much of a message is kept, as JSON, in case it's the answer. */
const ANSWER_BYTES = 32 * 1024

/** Collects a piece of a message, to report it later. */
export function hearChunk(
  step: AcpStep,
  type: 'text' | 'thought',
  messageId: string | undefined,
  text: string,
): AcpStep {
  const before = step.state.chunks
  const isOther = before !== undefined && (before.type !== type || isAnother(before.messageId, messageId))
  const clear = isOther ? reportChunks(step) : step
  const next = isOther && before.type === type ? endMessage(clear) : clear
  const kept = next.state.chunks?.text ?? ''
  const id = messageId ?? next.state.chunks?.messageId
  const chunks = { type, text: kept + text, ...(id === undefined ? {} : { messageId: id }) }
  const longer = changed(next, { chunks })
  return jsonSize(chunks.text) > EVENT_BYTES ? reportChunks(longer) : longer
}

/** Reports the collected text of a message. */
export function reportChunks(step: AcpStep): AcpStep {
  const { chunks } = step.state
  if (chunks === undefined) return step
  const clear = changed(step, { chunks: undefined })
  const kept = chunks.type === 'text' ? changed(clear, withAnswer(step.state, chunks.text)) : clear
  if (chunks.text.trim() === '') return kept
  return learnt(kept, { type: chunks.type, text: storableText(chunks.text) })
}

/** Marks the end of a message. Later text belongs to the next one. */
export function endMessage(step: AcpStep): AcpStep {
  const { turn } = step.state
  return turn === undefined ? step : changed(step, { turn: { ...turn, isAnswerFinished: true } })
}

function withAnswer(state: AcpState, text: string): Partial<AcpState> {
  const { turn } = state
  if (turn === undefined) return {}
  if (!turn.isAnswerFinished) return { turn: { ...turn, answer: endOf(turn.answer + text) } }
  if (text.trim() === '') return {}
  return { turn: { ...turn, answer: endOf(text), isAnswerFinished: false } }
}

function isAnother(known: string | undefined, now: string | undefined): boolean {
  return known !== undefined && now !== undefined && known !== now
}

function endOf(text: string): string {
  let end = text
  while (jsonSize(end) > ANSWER_BYTES) end = end.slice(Math.ceil(end.length / 8))
  return end
}

/** The size of a value in the stored state, in bytes. */
export function jsonSize(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value ?? null))
}
