import type { WireDocumentKind, WireJobDocument } from '../../../contract/job-document.ts'
import { counted } from '../text/counted.ts'
import { momentWords } from '../text/elapsed.ts'
import type { Paint } from '../text/paint.ts'
import { safeLine } from '../text/safe-text.ts'

const TITLE_LIMIT = 70

export function documentName(kind: WireDocumentKind): string {
  return kind === 'goal' ? 'goal' : 'wanted tasks'
}

/** What is known around one version: all versions that were read, and whether the job is over. */
type History = { readonly versions: readonly WireJobDocument[]; readonly isOver: boolean }

/** One version of a document in two lines: whose, since when, from which cycle on, and how it begins. */
export function documentLines(
  document: WireJobDocument,
  history: History,
  now: Date,
  paint: Paint,
): readonly string[] {
  const { kind, number, author, createdAt, text } = document
  const who = author === 'person' ? 'by a person' : 'by Muster'
  const when = momentWords(new Date(createdAt), now)
  return [
    `${paint('strong', `${documentName(kind)} ${number}`)} ${who}, ${when}, ${counted(lineCount(text), 'line')}, ${forceWords(document, history, paint)}`,
    `  ${safeLine(text.trimStart(), TITLE_LIMIT) || 'nothing'}`,
  ]
}

/** A cycle takes up everything that waits, and only the newest of each kind comes into force. */
function forceWords(document: WireJobDocument, { versions, isOver }: History, paint: Paint): string {
  const { kind, number, cycle } = document
  const isReplaced = versions.some(
    (other) => other.kind === kind && other.number > number && other.cycle === cycle,
  )
  if (isReplaced) return paint('dim', `never in force, replaced by ${number + 1}`)
  if (cycle !== undefined) return `in force since cycle ${cycle}`
  return isOver
    ? paint('dim', 'never in force, the job had ended')
    : paint('warn', 'waits for the next cycle')
}

/** A newline at the end begins no line. */
function lineCount(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length
}
