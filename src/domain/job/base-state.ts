import type { BaselineId } from '../id.ts'

/** What to do if the base fails. `ignore`: don't check it. */
export const FAILING_BASE_CHOICES = ['ask', 'stop', 'continue', 'fix', 'ignore'] as const
export type FailingBaseChoice = (typeof FAILING_BASE_CHOICES)[number]

/** What a person decides about a base that fails. To stop is to cancel the job. */
export type BaseDecision = 'continue' | 'fix'

type Checked = {
  readonly baselineId: BaselineId
  /** Cycles that only fixed the base. They don't count toward the job's limit of cycles. */
  readonly fixCycles: number
}

/** What a job knows about the commit it starts from, and what was decided about it. */
export type BaseState =
  | ({ readonly type: 'checking' } & Checked)
  | ({ readonly type: 'passed' } & Checked)
  /** The checks could not be run. The job continues as if they had not been tried. */
  | ({ readonly type: 'unknown' } & Checked)
  /** The base fails, and a person must decide. */
  | ({ readonly type: 'asking'; readonly since: string } & Checked)
  /** What failed on the base isn't held against the job's work. */
  | ({ readonly type: 'tolerated' } & Checked)
  /** The next cycle has one task: to fix the base. */
  | ({ readonly type: 'to-fix' } & Checked)
  | ({ readonly type: 'fixing' } & Checked)
  | ({ readonly type: 'fixed' } & Checked)

/** How many of a job's cycles count toward its limit. */
export function countedCycles({ base }: { readonly base?: BaseState }, cycles: number): number {
  return cycles - (base?.fixCycles ?? 0)
}
