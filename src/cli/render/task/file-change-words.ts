import type { WireDiff } from '../../../client/index.ts'
import { visibleLine } from '../text/safe-text.ts'

type FileChange = WireDiff['files'][number]

const STATUSES = {
  added: 'new',
  deleted: 'deleted',
  renamed: 'renamed',
  retyped: 'type changed',
} as const

/** The path of a file, and its old path if it was renamed. */
export function changedPath(
  { path, from }: FileChange,
  show: (path: string) => string = visibleLine,
): string {
  return from === undefined ? show(path) : `${show(from)} -> ${show(path)}`
}

/** What changed in a file: `+3 -1`, `deleted`, `mode 644 -> 755`. */
export function changeWords(file: FileChange): string {
  const { added, removed, isBinary, status, mode, isLink } = file
  const counts = isBinary ? 'binary' : `+${added} -${removed}`
  const kinds = [
    ...(status === undefined ? [] : [STATUSES[status]]),
    ...(isLink === true ? ['link'] : []),
    ...(mode === undefined ? [] : [`mode ${visibleLine(mode.from)} -> ${visibleLine(mode.to)}`]),
  ]
  const isCounted = isBinary || added + removed > 0 || kinds.length === 0
  return [...(isCounted ? [counts] : []), ...kinds].join(', ')
}
