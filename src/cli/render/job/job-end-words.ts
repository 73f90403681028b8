import type { WireJob, WireJobSummary } from '../../../contract/job.ts'
import { dollars } from '../../../domain/budget/dollars.ts'
import { completionWords } from '../../../domain/job/completion-words.ts'
import { joined } from '../text/reason-words.ts'
import { safeHead } from '../text/safe-text.ts'
import { statusWord } from './job-words.ts'

const LINE_LIMIT = 100

type Ended = Pick<WireJobSummary, 'status' | 'pausing' | 'reason' | 'lastError'> &
  Partial<Pick<WireJob, 'spentUsd' | 'limits'>>

/** The state of a job, or how it ended. `unlanded` counts the tasks that did not land. */
export function jobEndWords(job: Ended, unlanded: number): string {
  if (job.status === 'completed') return `${completionLine(job.reason, unlanded)}${leftWords(job)}`
  if (job.status === 'error') return joined('stopped with an error', headOf(job.lastError ?? job.reason))
  return joined(statusWord(job), headOf(job.reason))
}

/** A budget may end a job before all of it is spent. */
function leftWords({ reason, spentUsd, limits }: Ended): string {
  if (reason !== 'budget-reached' || spentUsd === undefined || limits?.budgetUsd === undefined) return ''
  const left = limits.budgetUsd - spentUsd
  return left > 0 ? `: the remaining ${dollars(left)} is not enough for another attempt` : ''
}

export function completionLine(reason: string | undefined, unlanded: number): string {
  return completionWords(reason ?? '', unlanded) ?? joined('completed', headOf(reason))
}

/** More words follow, so a quotation that the cut left open is closed. */
function headOf(why: string | undefined): string {
  const head = why === undefined ? '' : safeHead(why, LINE_LIMIT)
  const isOpen = head.endsWith('…') && head.split('"').length % 2 === 0
  return isOpen ? `${head}"` : head
}
