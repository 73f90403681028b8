import { CLEANUP_LIMITS } from '../limits/cleanup-limits.ts'
import { daysBefore } from './days-before.ts'

export type KeptFacts = {
  /** What of the job still runs. */
  readonly running: readonly string[]
  /** The jobs that continue from one of its runs. */
  readonly forks: readonly string[]
  /** Landed work that no branch of the person's repository has. */
  readonly undelivered?: string
  readonly workingBranch: string
  /** Attempts whose work the hub should have, but doesn't. */
  readonly missing: readonly string[]
  /** Working trees whose work can't be collected, and why. It exists only there. */
  readonly uncollected: readonly { readonly directory: string; readonly problem: string }[]
  /** Work that did not land and exists nowhere else: its name, and when it was left. */
  readonly unlanded: readonly { readonly name: string; readonly at: Date }[]
}

/** Why an old job must stay for now; undefined if it can be removed. */
export function whyKept(facts: KeptFacts, now: Date): string | undefined {
  const [running] = facts.running
  if (running !== undefined) return `${running} has not ended`
  const [fork] = facts.forks
  if (fork !== undefined) return `${fork} continues from one of its runs`
  if (facts.undelivered !== undefined)
    return `what landed on ${facts.workingBranch} is in no branch of your repository`
  const [tree] = facts.uncollected
  if (tree !== undefined) return `the work in ${tree.directory} can't be collected (${tree.problem})`
  const [missing] = facts.missing
  if (missing !== undefined) return `the work of ${missing} is missing from Muster's copy of the repository`
  const limit = daysBefore(now, CLEANUP_LIMITS.pinnedDays)
  const young = facts.unlanded.filter(({ at }) => at > limit)
  if (young.length === 0) return undefined
  const names = young.map(({ name }) => name).join(', ')
  return `it has work that did not land and is kept for ${CLEANUP_LIMITS.pinnedDays} days: ${names}`
}
