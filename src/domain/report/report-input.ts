import type { Approval } from '../approval/approval.ts'
import type { Attempt } from '../attempt/attempt.ts'
import type { Job } from '../job/job.ts'
import type { Candidate } from '../landing/candidate.ts'
import type { Landing } from '../landing/landing.ts'
import type { Message } from '../message/message.ts'
import type { Session } from '../session/session.ts'
import type { Task } from '../task/task.ts'
import type { ReportedRun } from './report-run.ts'

/** What it would take to merge the working branch into the base branch as both are now. */
export type BaseSnapshot =
  /** A fast-forward, or nothing as long as there is no work. */
  | { readonly type: 'forward' }
  /** The base branch has all the work of a job that has ended; `commit` brought it, as far as that is known. */
  | { readonly type: 'merged'; readonly commit?: string }
  /** An unchecked merge: the base branch, at `commit`, has commits that the working branch lacks. */
  | { readonly type: 'apart'; readonly commit: string }
  | { readonly type: 'conflict'; readonly paths: readonly string[] }

/** Everything a report is made from: rows, and what git reported about them. */
export type ReportInput = {
  readonly job: Job
  /** The clauses of the current goal. */
  readonly clauses: readonly string[]
  /** In the order of discovery. */
  readonly tasks: readonly Task[]
  readonly attempts: readonly Attempt[]
  readonly landings: readonly Landing[]
  readonly candidates: readonly Candidate[]
  readonly sessions: readonly Session[]
  /** Pending approvals. */
  readonly approvals: readonly Approval[]
  /** Unanswered questions to a person. */
  readonly questions: readonly Message[]
  /** What the last discovery reported as blocking. */
  readonly plannerBlockers: readonly string[]
  /** The tree of each landed commit as git has it now; absent if there is no such commit. */
  readonly trees: ReadonlyMap<string, string>
  /** Whether the person's repository has the working branch as it is in the hub. */
  readonly isDelivered: boolean
  /** Absent if it can't be determined. */
  readonly base?: BaseSnapshot
  /** The newest runs of playbooks, oldest first, without those within them. */
  readonly runs: readonly ReportedRun[]
  readonly now: Date
}
