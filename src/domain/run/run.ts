import type { ApprovalId, JobId, RunId, TaskId, VisitId } from '../id.ts'
import type { RunEnd } from '../playbook/route.ts'
import type { Scalar } from '../playbook/stage.ts'
import type { Cast } from './cast.ts'
import type { Counters } from './route-visit.ts'
import type { VisitWork } from './visit.ts'

/** One execution of a playbook: how a task is worked on. */
export type Run = {
  readonly id: RunId
  readonly jobId: JobId
  readonly taskId: TaskId
  /** The visit of another run that waits for this one. */
  readonly parentId?: VisitId
  /** The run that it continues from. Absent if it started at the beginning. */
  readonly origin?: RunOrigin
  /** Names the playbook as it was when the run started. Later edits of its files change nothing. */
  readonly playbook: { readonly name: string; readonly hash: string }
  readonly goal: string
  readonly inputs: RunInputs
  readonly cast: Cast
  /** The tip of the job's branch when the run started. A child run has that of the outermost run. */
  readonly baseCommit: string
  /** The work that a child run continues; absent if there was none. */
  readonly continues?: ContinuedWork
  /** The playbooks that its stages may follow, and those that their stages may follow; absent if there are none. */
  readonly children?: ChildPlaybooks
  readonly counters: Counters
  readonly state: RunState
  /** How often something had to be done about a visit in trouble. */
  readonly recoveries: number
  /** Its running time before `runningSince`. Pauses and the time that only a person can end don't count. */
  readonly activeMs: number
  readonly runningSince?: Date
  readonly version: number
  readonly createdAt: Date
  readonly endedAt?: Date
}

/** A commit of another run, with everything it changes since the base. */
export type ContinuedWork = { readonly commit: string } & Pick<VisitWork, 'files' | 'commits'>

/** The pinned playbooks that runs can follow within others, by name, and who takes their roles. */
export type ChildPlaybooks = Readonly<Record<string, { readonly hash: string; readonly cast: Cast }>>

/** Another run, and the entry from which on everything is done anew. The visits before it are taken as they are. */
export type RunOrigin = {
  readonly runId: RunId
  readonly ordinal: number
  /** Branches of that entry that succeeded are taken too. */
  readonly keepsBranches?: true
}

export type RunInputs = Readonly<Record<string, Scalar>>

export type RunState =
  | { readonly type: 'running' }
  /** A person decides whether work that is only partial, or that nobody judged, is to land. */
  | {
      readonly type: 'asking'
      readonly end: RunEnd
      readonly work: VisitId
      readonly approvalId: ApprovalId
      readonly reason: string
    }
  /** `work`: the visit whose commit is the result. `reason`: why it isn't what was hoped for, in one line. */
  | { readonly type: 'ended'; readonly end: RunEnd; readonly work?: VisitId; readonly reason?: string }
  | { readonly type: 'cancelled'; readonly reason: string }
