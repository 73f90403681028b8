import type { WireJob, WireJobSummary } from '../../../contract/job.ts'
import { dollars } from '../../../domain/budget/dollars.ts'
import { safeHead } from '../text/safe-text.ts'

const LINE_LIMIT = 100

const COMPLETIONS: Readonly<Record<string, string>> = {
  'goal-reached': 'completed: the goal is reached',
  'nothing-left': 'completed: nothing left to do',
  'max-cycles-reached': 'stopped at the limit of cycles',
  'time-limit-reached': 'stopped at the time limit',
  'budget-reached': 'stopped at the budget',
  'no-progress': 'stopped: nothing moved forward any more',
}

type Ended = Pick<WireJobSummary, 'status' | 'reason' | 'lastError'> &
  Partial<Pick<WireJob, 'spentUsd' | 'limits'>>

/** How a job stands or ended, in plain words. */
export function jobEndWords(job: Ended): string {
  if (job.status === 'completed') return `${completionWords(job.reason)}${leftWords(job)}`
  if (job.status === 'error') return joined('stopped with an error', job.lastError ?? job.reason)
  return joined(job.status, job.reason)
}

/** A budget may end a job before it is used up. */
function leftWords({ reason, spentUsd, limits }: Ended): string {
  if (reason !== 'budget-reached' || spentUsd === undefined || limits?.budgetUsd === undefined) return ''
  const left = limits.budgetUsd - spentUsd
  return left > 0 ? `: the ${dollars(left)} that is left does not pay for another attempt` : ''
}

export function completionWords(reason: string | undefined): string {
  return COMPLETIONS[reason ?? ''] ?? joined('completed', reason)
}

function joined(what: string, why: string | undefined): string {
  const words = why === undefined ? '' : safeHead(why, LINE_LIMIT)
  return words === '' ? what : `${what}: ${words}`
}
