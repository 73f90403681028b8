import type { WireDiff } from '../../../client/index.ts'
import { shellWord } from '../../hint.ts'
import { counted } from '../text/counted.ts'
import type { Paint, Tone } from '../text/paint.ts'
import { visibleText } from '../text/safe-text.ts'
import { table } from '../text/table.ts'
import { changedPath, changeWords } from './file-change-words.ts'

const BAR = 40
const PATH_LIMIT = 80

/** A change for a person: a table of files, and for `whole` the patch, in which nothing can hide. */
export function diffLines(diff: WireDiff, paint: Paint, detail: 'stat' | 'whole'): readonly string[] {
  return [...statLines(diff, paint), ...(detail === 'whole' ? patchLines(diff, paint) : [])]
}

function statLines(diff: WireDiff, paint: Paint): readonly string[] {
  const { files, omittedFiles } = diff
  if (files.length === 0) return ['nothing is changed']
  const most = Math.max(...files.map(({ added, removed }) => added + removed))
  const rows = files.map((file) => [changedPath(file, shownPath), changeWords(file), bar(file, most, paint)])
  const sum = (part: 'added' | 'removed') => files.reduce((total, file) => total + file[part], 0)
  return [
    ...table(['FILE', 'LINES', ''], rows),
    ...(omittedFiles > 0 ? [`and ${counted(omittedFiles, 'more file')}`] : []),
    `${counted(files.length + omittedFiles, 'file')}, ${counted(sum('added'), 'line')} added, ${counted(sum('removed'), 'line')} removed, ${short(diff.from)}..${short(diff.to)}`,
  ]
}

function bar(file: WireDiff['files'][number], most: number, paint: Paint): string {
  const total = file.added + file.removed
  if (total === 0) return ''
  const width = most <= BAR ? total : Math.max(1, Math.round((BAR * total) / most))
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
      // What a file is called comes before its first hunk; a line of a hunk may look the same.
      if (line.startsWith('diff --git ')) isName = true
      if (line.startsWith('@@')) isName = false
      return paint(isName ? 'strong' : toneOf(line), line)
    })
  return ['', ...lines, ...(diff.isCut ? ['', paint('warn', cutWords(diff))] : [])]
}

function cutWords({ gitDirectory, from, to }: WireDiff): string {
  return `the rest is left out; all of it: git --git-dir ${shellWord(gitDirectory)} diff ${from} ${to}`
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
