import type { WirePinnedWork, WireRestoredWork } from '../../../client/index.ts'
import { shellWord } from '../../../domain/shell-word.ts'
import { byteWords } from '../text/byte-words.ts'
import { counted } from '../text/counted.ts'
import type { Display } from '../text/display.ts'
import { momentWords } from '../text/elapsed.ts'
import { safeLine } from '../text/safe-text.ts'
import { type Extent, repositoryGroups } from './repository-groups.ts'

/** Two lines for each piece of work: what it is, and why it did not land. */
export function pinnedLines(
  works: readonly WirePinnedWork[],
  extent: Extent,
  now: Date,
  display: Display,
): readonly string[] {
  if (works.length === 0) return ['there is no unlanded work']
  const isUsable = ({ status, refusal }: WirePinnedWork) => status === 'unlanded' && refusal === undefined
  const first = works.find(isUsable) ?? works[0]
  const flag = first?.refusal === undefined ? '' : ' --with-refused-work'
  return [
    ...repositoryGroups(works, extent, (work) => workLines(work, now, display)),
    '',
    `restore one as a branch: ${display.hint(`muster recover ${first?.id ?? 'ID'}${flag}`)}`,
  ]
}

export function workLines(work: WirePinnedWork, now: Date, { paint }: Display): readonly string[] {
  const { id, task, title, at, status, reason, refusal } = work
  const name = task === undefined ? id : `${id}  ${task}`
  const kinds = [...(status === 'unlanded' ? [] : [status]), ...(refusal === undefined ? [] : ['refused'])]
  const kind = kinds.length === 0 ? '' : ` (${kinds.join(', ')})`
  return [
    `${paint('strong', name)}  ${safeLine(title, 60)}${kind}`,
    `  ${momentWords(new Date(at), now)}, ${sizeWords(work)}: ${safeLine(reason)}`,
  ]
}

export function restoredLines({ work, branch, isNew }: WireRestoredWork): readonly string[] {
  const name = work.task ?? work.id
  const base = work.base.slice(0, 10)
  const warning = work.refusal === undefined ? [] : [`warning: it was refused: ${safeLine(work.refusal)}`]
  return [
    ...warning,
    `${isNew ? 'restored' : 'already restored'}: the work of ${name} is on branch ${safeLine(branch)} in ${safeLine(work.repositoryPath)}`,
    `  look at it:  git diff ${base}...${shellWord(branch)}`,
    `  use it:      git switch ${shellWord(branch)}`,
  ]
}

export function sizeWords({ files, added, removed, bytes }: WirePinnedWork): string {
  if (files === undefined) return 'size unknown'
  return `${counted(files, 'file')} changed, +${added ?? 0} -${removed ?? 0}, ${byteWords(bytes ?? 0)}`
}
