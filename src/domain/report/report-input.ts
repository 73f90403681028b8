import type { Approval } from '../approval/approval.ts'
import type { Attempt } from '../attempt/attempt.ts'
import type { Job } from '../job/job.ts'
import type { Candidate } from '../landing/candidate.ts'
import type { Landing } from '../landing/landing.ts'
import type { Message } from '../message/message.ts'
import type { Session } from '../session/session.ts'
import type { Task } from '../task/task.ts'

/** What it would take to bring the working branch into the base branch as both are now. */
export type BaseSight =
  /** Nothing, or going forward. */
  | { readonly type: 'forward' }
  /** A merge that nobody has checked yet: the base branch, at `commit`, has what the working branch has not. */
  | { readonly type: 'apart'; readonly commit: string }
  | { readonly type: 'conflict'; readonly paths: readonly string[] }

/** All that a report is made of: rows, and what git answered when it was asked about them. */
export type ReportInput = {
  readonly job: Job
  /** Of the goal that is in force. */
  readonly clauses: readonly string[]
  /** In the order of discovery. */
  readonly tasks: readonly Task[]
  readonly attempts: readonly Attempt[]
  readonly landings: readonly Landing[]
  readonly candidates: readonly Candidate[]
  readonly sessions: readonly Session[]
  /** Those that wait for somebody. */
  readonly approvals: readonly Approval[]
  /** Those to a person that have no answer. */
  readonly questions: readonly Message[]
  /** What the last discovery said stands in the way. */
  readonly plannerBlockers: readonly string[]
  /** The tree of each landed commit, as git has it now; absent when it has no such commit. */
  readonly trees: ReadonlyMap<string, string>
  /** Whether the person's repository has the working branch as it is in the hub. */
  readonly isDelivered: boolean
  /** Absent when nobody can tell. */
  readonly base?: BaseSight
  readonly now: Date
}
