import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type {
  Dialogue,
  DialogueState,
  Opening,
  PermissionDecision,
  Spoken,
} from '../../src/ports/dialogue.ts'

/** Something that Muster, not the program, does in a conversation. */
export type Deed =
  | { readonly type: 'open'; readonly opening: Opening }
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'interrupt' }
  | { readonly type: 'decide'; readonly requestId: string; readonly decision: PermissionDecision }

/**
 * One entry of a recorded conversation: a deed of Muster, a line that Muster sent, or a line that the program printed.
 * A sent line directly follows the deed or the printed line that caused it.
 */
export type TranscriptEntry =
  | ({ readonly dir: 'do' } & Deed)
  | { readonly dir: 'in'; readonly line: string }
  | { readonly dir: 'out'; readonly line: string }

export type Transcript = { readonly name: string; readonly entries: readonly TranscriptEntry[] }

const SUFFIX = '.jsonl'
/** The suffix of the file, next to a transcript, with the events that the transcript stands for. */
const EVENTS_SUFFIX = '.events.jsonl'

export function readTranscript(file: string): Transcript {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  return {
    name: path.basename(file, SUFFIX),
    entries: lines.map((line) => JSON.parse(line) as TranscriptEntry),
  }
}

/** All transcripts of a folder, by name. Synchronous, because suites are declared from them. */
export function readTranscripts(directory: string): readonly Transcript[] {
  const names = readdirSync(directory)
  const files = names.filter((name) => name.endsWith(SUFFIX) && !name.endsWith(EVENTS_SUFFIX)).sort()
  return files.map((name) => readTranscript(path.join(directory, name)))
}

export function eventsFileOf(directory: string, transcript: Transcript): string {
  return path.join(directory, `${transcript.name}${EVENTS_SUFFIX}`)
}

export function formatTranscript(entries: readonly TranscriptEntry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
}

/** Applies a deed to a dialogue. Opening a conversation ignores `state`. */
export function perform(dialogue: Dialogue, state: DialogueState, deed: Deed): Spoken {
  switch (deed.type) {
    case 'open':
      return dialogue.open(deed.opening)
    case 'say':
      return dialogue.say(state, deed.text)
    case 'interrupt':
      return dialogue.interrupt(state)
    case 'decide':
      return dialogue.decide(state, deed.requestId, deed.decision)
  }
}
