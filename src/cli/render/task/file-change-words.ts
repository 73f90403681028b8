import type { WireDiff } from '../../../client/index.ts'
import { visibleText } from '../text/safe-text.ts'

type FileChange = WireDiff['files'][number]

const STATUSES = {
  added: 'new',
  deleted: 'deleted',
  renamed: 'renamed',
  retyped: 'another kind of file',
} as const

/** What a file is called, and what it was called when it was renamed. */
export function changedPath({ path, from }: FileChange, show: (path: string) => string = oneLine): string {
  return from === undefined ? show(path) : `${show(from)} -> ${show(path)}`
}

/** How much of a file is changed, and what else is: `+3 -1`, `deleted`, `mode 644 -> 755`. */
export function changeWords(file: FileChange): string {
  const { added, removed, isBinary, status, mode, isLink } = file
  const counts = isBinary ? 'binary' : `+${added} -${removed}`
  const kinds = [
    ...(status === undefined ? [] : [STATUSES[status]]),
    ...(isLink === true ? ['link'] : []),
    ...(mode === undefined ? [] : [`mode ${oneLine(mode.from)} -> ${oneLine(mode.to)}`]),
  ]
  const isCounted = isBinary || added + removed > 0 || kinds.length === 0
  return [...(isCounted ? [counts] : []), ...kinds].join(', ')
}

function oneLine(text: string): string {
  return visibleText(text).replaceAll('\n', '\\n')
}
