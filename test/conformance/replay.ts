import { expect } from 'vitest'
import type { AgentEvent } from '../../src/domain/event/agent-event.ts'
import type { Dialogue, DialogueState, Spoken } from '../../src/ports/dialogue.ts'
import { perform, type Transcript, type TranscriptEntry } from '../support/transcript.ts'

/** Where a replayed conversation stands after one entry. */
export type ReplayPoint = {
  readonly index: number
  readonly state: DialogueState
  /** Messages said, and turns ended, up to here. */
  readonly messages: number
  readonly ends: number
}

export type Replay = { readonly events: readonly AgentEvent[]; readonly points: readonly ReplayPoint[] }

export type ReplayOptions = {
  /** What happens to a state between two entries: nothing, or what a database does to it. */
  readonly store?: (state: DialogueState) => DialogueState
  /** Does something to the conversation before the entry at `index`, and gives the state to go on with. */
  readonly before?: (index: number, state: DialogueState) => DialogueState
}

/** Goes through a transcript and expects every line we wrote then to be said again, at the same place. */
export function replay(dialogue: Dialogue, transcript: Transcript, options: ReplayOptions = {}): Replay {
  const { store = unchanged, before = (_index, state) => state } = options
  const { entries } = transcript
  const events: AgentEvent[] = []
  const points: ReplayPoint[] = []
  let state: DialogueState = {}
  let messages = 0
  for (const [index, entry] of entries.entries()) {
    if (entry.dir === 'in') continue
    state = frozen(store(before(index, state)))
    const spoken = answerTo(dialogue, state, entry)
    expect(spoken.says, `after line ${index + 1} of ${transcript.name}`).toEqual(writtenAfter(entries, index))
    state = spoken.state
    events.push(...spoken.events)
    if (entry.dir === 'do' && (entry.type === 'open' || entry.type === 'say')) messages += 1
    points.push({ index, state, messages, ends: countEnds(events) })
  }
  return { events, points }
}

export function answerTo(dialogue: Dialogue, state: DialogueState, entry: TranscriptEntry): Spoken {
  if (entry.dir === 'do') return perform(dialogue, state, entry)
  if (entry.dir === 'out') return dialogue.hear(state, entry.line)
  return { state, events: [], says: [] }
}

export function countEnds(events: readonly AgentEvent[]): number {
  return events.filter((event) => event.type === 'turn-end').length
}

/** The lines we wrote because of the entry at `index`. */
function writtenAfter(entries: readonly TranscriptEntry[], index: number): readonly string[] {
  const lines: string[] = []
  for (const entry of entries.slice(index + 1)) {
    if (entry.dir !== 'in') break
    lines.push(entry.line)
  }
  return lines
}

function unchanged(state: DialogueState): DialogueState {
  return state
}

/** A dialogue that changed the state it was given would throw on this one. */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const inner of Object.values(value)) frozen(inner)
  return value
}
