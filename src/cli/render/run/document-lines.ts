import type { WireRun } from '../../../client/index.ts'
import { isComplete } from '../../../domain/playbook/route.ts'
import { counted } from '../text/counted.ts'
import type { Display } from '../text/display.ts'
import { safeText } from '../text/safe-text.ts'

type Document = WireRun['documents'][number]

/** A person sees the beginning and what to do next on one screen. */
const SHOWN_ROWS = 40
const TITLE = /^# \S/

/**
 * The document that a run was for: the last one that was written as a document, otherwise the last. Undefined if the run
 * has no document, or if it made work, of which documents are only a part.
 */
export function mainDocument({ end, documents, visits }: WireRun): Document | undefined {
  const hasWork = end === 'land' || (!isComplete(end) && visits.some(({ commit }) => commit !== undefined))
  if (end === undefined || end === 'failed' || hasWork) return undefined
  return documents.findLast(({ text }) => TITLE.test(text)) ?? documents.at(-1)
}

/** A document as it was written, or its beginning with the command that prints the rest if `isCut`. */
export function documentLines(
  { id }: Pick<WireRun, 'id'>,
  { name, text }: Document,
  { paint, hint, shortId, columns }: Display,
  isCut: boolean,
): readonly string[] {
  const all = safeText(text).trimEnd().split('\n')
  const lines = TITLE.test(text) ? all : [paint('strong', name), '', ...all]
  const shown = isCut ? fitting(lines, columns) : lines
  const rest = lines.length - shown.length
  if (rest === 0) return ['', ...lines]
  return [
    '',
    ...shown,
    '',
    `${counted(rest, 'more line')}; the whole: ${hint(`muster export ${shortId(id)}`)}`,
  ]
}

function fitting(lines: readonly string[], columns = Number.POSITIVE_INFINITY): readonly string[] {
  let rows = 0
  const end = lines.findIndex((line) => {
    rows += Math.max(1, Math.ceil(line.length / columns))
    return rows > SHOWN_ROWS
  })
  return end < 0 ? lines : lines.slice(0, Math.max(1, end))
}
