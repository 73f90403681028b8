import path from 'node:path'
import { expect } from 'vitest'
import type { AgentEvent } from '../../src/domain/event/agent-event.ts'
import type { TurnOutcome } from '../../src/domain/session/turn-outcome.ts'
import type { Dialogue, DialogueState, Spoken } from '../../src/ports/dialogue.ts'
import { perform, readTranscript, type Transcript, type TranscriptEntry } from '../support/transcript.ts'

/** A replayed conversation after one entry. */
export type ReplayPoint = {
  readonly index: number
  readonly state: DialogueState
  /** How many messages were sent and how many turns ended up to here. */
  readonly messages: number
  readonly ends: number
}

export type Replay = { readonly events: readonly AgentEvent[]; readonly points: readonly ReplayPoint[] }

export type ReplayOptions = {
  /** Changes the state between two entries as a database would. */
  readonly store?: (state: DialogueState) => DialogueState
  /** Runs before the entry at `index` and returns the state to continue with. */
  readonly before?: (index: number, state: DialogueState) => DialogueState
}

/** Replays a transcript and expects the dialogue to write the same lines at the same places. */
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

/** The events of the recording `name` in a folder. */
export function replayRecording(dialogue: Dialogue, directory: string, name: string): readonly AgentEvent[] {
  return replay(dialogue, readTranscript(path.join(directory, `${name}.jsonl`))).events
}

/** How each turn ended. */
export function outcomesOf(events: readonly AgentEvent[]): readonly TurnOutcome[] {
  return events.flatMap((event) => (event.type === 'turn-end' ? [event.outcome] : []))
}

export function answerTo(dialogue: Dialogue, state: DialogueState, entry: TranscriptEntry): Spoken {
  if (entry.dir === 'do') return perform(dialogue, state, entry)
  if (entry.dir === 'out') return dialogue.hear(state, entry.line)
  return { state, events: [], says: [] }
}

export function countEnds(events: readonly AgentEvent[]): number {
  return outcomesOf(events).length
}

/** The lines we wrote in response to the entry at `index`. */
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

/** Freezes a value, so that a dialogue that changes its state throws. */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const inner of Object.values(value)) frozen(inner)
  return value
}
