import { storableText } from '../shared/storable-text.ts'
import type { AcpState } from './acp-state.ts'
import { type AcpStep, changed, learnt } from './acp-step.ts'

/** A message is told in events of about this size: not one per word, and not only at its end. */
const EVENT_BYTES = 4 * 1024
/** What is kept of a message for the answer it may be, as JSON. */
const ANSWER_BYTES = 32 * 1024

/** Adds a piece of a message to what is told of it later. */
export function hearChunk(
  step: AcpStep,
  type: 'text' | 'thought',
  messageId: string | undefined,
  text: string,
): AcpStep {
  const before = step.state.chunks
  const isOther = before !== undefined && (before.type !== type || isAnother(before.messageId, messageId))
  const clear = isOther ? tellChunks(step) : step
  const next = isOther && before.type === type ? endMessage(clear) : clear
  const kept = next.state.chunks?.text ?? ''
  const id = messageId ?? next.state.chunks?.messageId
  const chunks = { type, text: kept + text, ...(id === undefined ? {} : { messageId: id }) }
  const longer = changed(next, { chunks })
  return jsonSize(chunks.text) > EVENT_BYTES ? tellChunks(longer) : longer
}

/** Tells what was heard of a message so far. */
export function tellChunks(step: AcpStep): AcpStep {
  const { chunks } = step.state
  if (chunks === undefined) return step
  const clear = changed(step, { chunks: undefined })
  const kept = chunks.type === 'text' ? changed(clear, withAnswer(step.state, chunks.text)) : clear
  if (chunks.text.trim() === '') return kept
  return learnt(kept, { type: chunks.type, text: storableText(chunks.text) })
}

/** What is said after this is another message. */
export function endMessage(step: AcpStep): AcpStep {
  const { turn } = step.state
  return turn === undefined ? step : changed(step, { turn: { ...turn, isAnswerOver: true } })
}

function withAnswer(state: AcpState, text: string): Partial<AcpState> {
  const { turn } = state
  if (turn === undefined) return {}
  if (!turn.isAnswerOver) return { turn: { ...turn, answer: endOf(turn.answer + text) } }
  if (text.trim() === '') return {}
  return { turn: { ...turn, answer: endOf(text), isAnswerOver: false } }
}

function isAnother(known: string | undefined, now: string | undefined): boolean {
  return known !== undefined && now !== undefined && known !== now
}

function endOf(text: string): string {
  let end = text
  while (jsonSize(end) > ANSWER_BYTES) end = end.slice(Math.ceil(end.length / 8))
  return end
}

/** Bytes it takes in a stored state. */
export function jsonSize(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value ?? null))
}
