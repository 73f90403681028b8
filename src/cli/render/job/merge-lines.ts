import type { WireMerge } from '../../../client/index.ts'
import { assertNever } from '../../../domain/assert-never.ts'
import { shellWord } from '../../../domain/shell-word.ts'
import { EXIT } from '../../exit-code.ts'
import type { Problem } from '../../problem.ts'
import type { Checkout } from '../../repository/checkout.ts'
import { checkLines } from '../task/check-lines.ts'
import type { Paint } from '../text/paint.ts'
import { safeLine, safeText } from '../text/safe-text.ts'

const SHOWN_LINES = 20

/** The result of a merge. */
export function mergeLines(merge: WireMerge, paint: Paint): readonly string[] {
  const base = safeLine(merge.baseBranch)
  const commit = merge.commit?.slice(0, 10) ?? ''
  const checks = checkLines(merge.checks, paint)
  if (merge.status === 'merged' && !merge.hasMoved) return [`everything is already in ${base}`]
  if (merge.status === 'merged') {
    return [paint('good', `${base} is now at ${commit}${madeWords(merge)}`), ...checks]
  }
  return [`nothing was merged into ${base}`]
}

function madeWords({ candidateId, checks }: WireMerge): string {
  if (candidateId === undefined) return ''
  return checks.length === 0 ? ' (merged)' : ' (merged and checked)'
}

/** Why nothing was merged, with the last output of the failed check. */
export function refusalOf({ baseBranch, reason = 'the merge was refused', jobId }: WireMerge): Problem {
  const [head = '', ...rest] = safeText(reason).trimEnd().split('\n')
  return {
    type: 'merge-refused',
    exitCode: EXIT.failed,
    message: `${safeLine(baseBranch)} was not changed: ${safeLine(head)}`,
    ...(rest.length === 0 ? {} : { why: rest.slice(-SHOWN_LINES).join('\n') }),
    next: `muster merge ${jobId}`,
  }
}

const SHOWN_FILES = 10

/** Why a base branch that is checked out was not updated, and the command that updates it. */
export function checkoutProblem(merge: WireMerge, checkout: Checkout): Problem {
  const base = safeLine(merge.baseBranch)
  const place = safeLine(merge.at ?? merge.repositoryPath)
  const problem = { type: 'branch-checked-out', exitCode: EXIT.conflict }
  switch (checkout.type) {
    case 'clean':
      return {
        ...problem,
        message: `${base} is checked out in ${place}, so it was not changed`,
        why: `${workWords(merge)} --checkout also updates your checkout, which has no uncommitted changes.`,
        next: `muster merge ${merge.jobId} --checkout`,
      }
    case 'changed':
      return {
        ...problem,
        message: `${base} is checked out in ${place} with uncommitted changes, so it was not changed`,
        why: [`${workWords(merge)} Commit or stash these files first:`, ...fileLines(checkout.files)].join(
          '\n',
        ),
        next: `git stash, then muster merge ${merge.jobId} --checkout`,
      }
    case 'unreadable':
      return {
        ...problem,
        message: `${base} is checked out in ${place}, so it was not changed`,
        why: `${workWords(merge)} The checkout can't be updated from here; run git in that checkout yourself.`,
        next: safeLine(ownCommand(merge)),
      }
    default:
      return assertNever(checkout)
  }
}

/** Git refused to update the checkout, for instance because a file that isn't tracked would be overwritten. */
export function blockedProblem(merge: WireMerge, words: string): Problem {
  return {
    type: 'branch-checked-out',
    exitCode: EXIT.conflict,
    message: `git could not update the checkout in ${safeLine(merge.at ?? merge.repositoryPath)}, so nothing was changed`,
    why: safeText(words).split('\n').slice(0, SHOWN_LINES).join('\n'),
    next: `muster merge ${merge.jobId} --checkout`,
  }
}

function workWords({ workingBranch, commit = '' }: WireMerge): string {
  return `The work is on ${safeLine(workingBranch)} at ${commit.slice(0, 10)}.`
}

/** By default, git overwrites ignored files, of which the person may have no other copy. */
function ownCommand({ at, repositoryPath, workingBranch, commit }: WireMerge): string {
  const place = shellWord(at ?? repositoryPath)
  return `git -C ${place} merge --ff-only --no-overwrite-ignore ${shellWord(commit ?? workingBranch)}`
}

function fileLines(files: readonly string[]): readonly string[] {
  const left = files.length - SHOWN_FILES
  const shown = files.slice(0, SHOWN_FILES).map((file) => `  ${safeLine(file)}`)
  return left > 0 ? [...shown, `  and ${left} more`] : shown
}
