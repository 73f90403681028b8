import type { WireDocumentKind, WireJobDocument } from '../../contract/job-document.ts'
import { counted } from './counted.ts'
import { momentWords } from './elapsed.ts'
import type { Paint } from './paint.ts'
import { safeLine } from './safe-text.ts'

const TITLE_LIMIT = 70

export function documentName(kind: WireDocumentKind): string {
  return kind === 'goal' ? 'goal' : 'wanted tasks'
}

/** One version of a document in two lines: whose, since when, from which cycle on, and how it begins. */
export function documentLines(document: WireJobDocument, now: Date, paint: Paint): readonly string[] {
  const { kind, number, author, createdAt, cycle, text } = document
  const who = author === 'person' ? 'by a person' : 'by Muster'
  const force =
    cycle === undefined ? paint('warn', 'waits for the next cycle') : `in force since cycle ${cycle}`
  const when = momentWords(new Date(createdAt), now)
  const lines = text.split('\n').length
  return [
    `${paint('strong', `${documentName(kind)} ${number}`)} ${who}, ${when}, ${counted(lines, 'line')}, ${force}`,
    `  ${safeLine(text.trimStart(), TITLE_LIMIT) || 'nothing'}`,
  ]
}
