import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Conversation, type ConversationRequest, converse } from './converse.ts'
import { formatTranscript, type TranscriptEntry } from './transcript.ts'

/** Texts that must not appear in a transcript, with their replacements. The first that matches is replaced. */
export type Replacements = readonly (readonly [found: string | RegExp, instead: string])[]

/**
 * Records a conversation with a real program as a transcript. Paths of this machine are replaced everywhere in it, so
 * that the transcript can be replayed on any machine.
 */
export async function recordTranscript(
  file: string,
  request: ConversationRequest,
  replacements: Replacements = [],
): Promise<Conversation> {
  const conversation = await converse({ limitMs: 120_000, ...request })
  const all: Replacements = [...replacements, [request.opening.treeDirectory, '/home/ada/tree']]
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, formatTranscript(conversation.entries.map((entry) => sanitised(entry, all))))
  return conversation
}

function sanitised(entry: TranscriptEntry, replacements: Replacements): TranscriptEntry {
  if (entry.dir !== 'do') return { ...entry, line: replaced(entry.line, replacements) }
  return JSON.parse(replaced(JSON.stringify(entry), replacements)) as TranscriptEntry
}

function replaced(text: string, replacements: Replacements): string {
  return replacements.reduce((line, [found, instead]) => line.replaceAll(found, instead), text)
}
