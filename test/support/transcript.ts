import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type {
  Dialogue,
  DialogueState,
  Opening,
  PermissionDecision,
  Spoken,
} from '../../src/ports/dialogue.ts'

/** Something we do in a conversation, in distinction to what its program does. */
export type Deed =
  | { readonly type: 'open'; readonly opening: Opening }
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'interrupt' }
  | { readonly type: 'decide'; readonly requestId: string; readonly decision: PermissionDecision }

/**
 * One moment of a recorded conversation: what we did, a line we wrote, or a line the program printed. The lines
 * we wrote stand directly behind the deed or the printed line that made us write them.
 */
export type TranscriptEntry =
  | ({ readonly dir: 'do' } & Deed)
  | { readonly dir: 'in'; readonly line: string }
  | { readonly dir: 'out'; readonly line: string }

export type Transcript = { readonly name: string; readonly entries: readonly TranscriptEntry[] }

const SUFFIX = '.jsonl'
/** The events a transcript stands for lie beside it under this suffix. */
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

/** All transcripts of a folder, by name. At once, because a suite is declared from them. */
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

/** Does what a deed says. `state` is of no matter to an opening. */
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
