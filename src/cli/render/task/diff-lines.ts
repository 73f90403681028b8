import type { WireDiff } from '../../../client/index.ts'
import { shellWord } from '../../../domain/shell-word.ts'
import { counted } from '../text/counted.ts'
import type { Display } from '../text/display.ts'
import type { Paint, Tone } from '../text/paint.ts'
import { visibleLine, visibleText } from '../text/safe-text.ts'
import { table } from '../text/table.ts'
import { wrapWords } from '../text/wrap-line.ts'
import { changedPath, changeWords } from './file-change-words.ts'

const BAR = 40
const LEAST_BAR = 5
const PATH_LIMIT = 80

/** A diff for a person: a table of files, for `whole` also the patch, and for `patch` only that, with hidden characters made visible. */
export function diffLines(
  diff: WireDiff,
  paint: Paint,
  detail: 'stat' | 'whole' | 'patch',
  columns = Number.POSITIVE_INFINITY,
): readonly string[] {
  if (detail === 'patch') return patchLines(diff, paint)
  return [...statLines(diff, paint, columns), ...(detail === 'whole' ? patchLines(diff, paint) : [])]
}

/** What a merge leaves out, and how to see it. */
export function leftOutLines(
  { leftOut = [], subject }: WireDiff,
  { paint, hint }: Pick<Display, 'paint' | 'hint'>,
): readonly string[] {
  if (leftOut.length === 0) return []
  const names = leftOut.map((path) => visibleLine(path)).join(', ')
  const command = hint(`muster diff ${subject} --with-task-list`)
  return [paint('dim', `without ${names}, which a merge leaves out; to see it: ${command}`)]
}

function statLines(diff: WireDiff, paint: Paint, columns: number): readonly string[] {
  const { files, omittedFiles } = diff
  if (files.length === 0) return ['no changes']
  const most = Math.max(...files.map(({ added, removed }) => added + removed))
  const words = files.map((file) => [changedPath(file, shownPath), changeWords(file)] as const)
  const taken = [0, 1].map((column) => Math.max(...words.map((row) => row[column as 0 | 1].length)) + 2)
  const room = Math.max(
    LEAST_BAR,
    Math.min(
      BAR,
      taken.reduce((left, width) => left - width, columns),
    ),
  )
  const rows = files.map((file, index) => [...(words[index] ?? []), bar(file, most, room, paint)])
  const sum = (part: 'added' | 'removed') => files.reduce((total, file) => total + file[part], 0)
  return [
    ...table(['FILE', 'LINES', ''], rows),
    ...(omittedFiles > 0 ? [`and ${counted(omittedFiles, 'more file')}`] : []),
    ...wrapWords(
      `${counted(files.length + omittedFiles, 'file')}, ${counted(sum('added'), 'line')} added, ${counted(sum('removed'), 'line')} removed, ${short(diff.from)}..${short(diff.to)}`,
      columns,
    ),
  ]
}

function bar(file: WireDiff['files'][number], most: number, room: number, paint: Paint): string {
  const total = file.added + file.removed
  if (total === 0) return ''
  const width = most <= room ? total : Math.max(1, Math.round((room * total) / most))
  const added = Math.round((width * file.added) / total)
  return paint('good', '+'.repeat(added)) + paint('bad', '-'.repeat(width - added))
}

function patchLines(diff: WireDiff, paint: Paint): readonly string[] {
  if (diff.patch === '' && !diff.isCut) return []
  let isName = false
  const lines = visibleText(diff.patch)
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      // File names come before the first hunk. Lines in a hunk may look like file names.
      if (line.startsWith('diff --git ')) isName = true
      if (line.startsWith('@@')) isName = false
      return paint(isName ? 'strong' : toneOf(line), line)
    })
  return ['', ...lines, ...(diff.isCut ? ['', paint('warn', cutWords(diff))] : [])]
}

function cutWords({ gitDirectory, from, to }: WireDiff): string {
  return `the rest is omitted; see all of it with: git --git-dir ${shellWord(gitDirectory)} diff ${from} ${to}`
}

function toneOf(line: string): Tone {
  if (line.startsWith('@@')) return 'accent'
  if (line.startsWith('+')) return 'good'
  return line.startsWith('-') ? 'bad' : 'plain'
}

function shownPath(path: string): string {
  const shown = visibleText(path).replaceAll(/[\t\n]/g, ' ')
  return shown.length <= PATH_LIMIT ? shown : `…${shown.slice(1 - PATH_LIMIT)}`
}

function short(commit: string): string {
  return commit.slice(0, 10)
}
