import type { WireMerge } from '../../../client/index.ts'
import { EXIT } from '../../exit-code.ts'
import { shellWord } from '../../hint.ts'
import type { Problem } from '../../problem.ts'
import { checkLines } from '../task/check-lines.ts'
import type { Paint } from '../text/paint.ts'
import { safeLine, safeText } from '../text/safe-text.ts'

const SHOWN_LINES = 20

/** How a merge went, and what is left to do. */
export function mergeLines(merge: WireMerge, paint: Paint): readonly string[] {
  const base = safeLine(merge.baseBranch)
  const commit = merge.commit?.slice(0, 10) ?? ''
  const checks = checkLines(merge.checks, paint)
  if (merge.status === 'merged' && !merge.hasMoved) return [`all of it is in ${base} already`]
  if (merge.status === 'merged') {
    return [paint('good', `${base} is at ${commit} now${madeWords(merge)}`), ...checks]
  }
  if (merge.status !== 'waiting') return [`nothing was merged into ${base}`]
  const words = `git -C ${shellWord(merge.at ?? merge.repositoryPath)} merge --ff-only ${shellWord(merge.workingBranch)}`
  return [
    `${base} is checked out in ${safeLine(merge.at ?? merge.repositoryPath)}, and a checkout is never changed under you.`,
    `Everything is on ${safeLine(merge.workingBranch)} at ${commit}. Go forward to it with:`,
    paint('strong', `  ${safeLine(words)}`),
    ...checks,
  ]
}

function madeWords({ candidateId, checks }: WireMerge): string {
  if (candidateId === undefined) return ''
  return checks.length === 0 ? ' (merged)' : ' (merged and checked)'
}

/** Why nothing was merged, with the last words of the check that failed. */
export function refusalOf({ baseBranch, reason = 'it was refused', jobId }: WireMerge): Problem {
  const [head = '', ...rest] = safeText(reason).trimEnd().split('\n')
  return {
    type: 'merge-refused',
    exitCode: EXIT.failed,
    message: `${safeLine(baseBranch)} was left as it is: ${safeLine(head)}`,
    ...(rest.length === 0 ? {} : { why: rest.slice(-SHOWN_LINES).join('\n') }),
    next: `muster merge ${jobId}`,
  }
}
