import type { WireDocumentKind, WireJobDocument } from '../../../contract/job-document.ts'
import { counted } from '../text/counted.ts'
import { momentWords } from '../text/elapsed.ts'
import type { Paint } from '../text/paint.ts'
import { safeLine } from '../text/safe-text.ts'

const TITLE_LIMIT = 70

export function documentName(kind: WireDocumentKind): string {
  return kind === 'goal' ? 'goal' : 'requested tasks'
}

/** "the goal applies", but "the requested tasks apply". */
export function applyWords(kind: WireDocumentKind): string {
  return `${kind === 'goal' ? 'applies' : 'apply'} from the next cycle`
}

/** The versions that were read, and whether the job has ended. */
type History = { readonly versions: readonly WireJobDocument[]; readonly isFinished: boolean }

/** One version of a document in two lines: its author, time, length and use, then its first line. */
export function documentLines(
  document: WireJobDocument,
  history: History,
  now: Date,
  paint: Paint,
): readonly string[] {
  const { kind, number, author, createdAt, text } = document
  const who = author === 'person' ? 'by you' : 'by Muster'
  const when = momentWords(new Date(createdAt), now)
  return [
    `${paint('strong', `${documentName(kind)} ${number}`)} ${who}, ${when}, ${counted(lineCount(text), 'line')}, ${usageWords(document, history, paint)}`,
    `  ${safeLine(text.trimStart(), TITLE_LIMIT) || '(empty)'}`,
  ]
}

/** A cycle applies only the newest version of each document. */
function usageWords(document: WireJobDocument, { versions, isFinished }: History, paint: Paint): string {
  const { kind, number, cycle } = document
  const isReplaced = versions.some(
    (other) => other.kind === kind && other.number > number && other.cycle === cycle,
  )
  if (isReplaced) return paint('dim', `never used, replaced by ${number + 1}`)
  if (cycle !== undefined) return `used since cycle ${cycle}`
  return isFinished ? paint('dim', 'never used, the job had ended') : paint('warn', applyWords(kind))
}

/** A newline at the end doesn't start another line. */
function lineCount(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length
}
