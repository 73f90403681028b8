import type { Generated } from 'kysely'
import type { AttemptId, JobId, RunId, TaskId, VisitId } from '../../../domain/id.ts'
import type { Cast } from '../../../domain/run/cast.ts'
import type { ChildPlaybooks, ContinuedWork, Run, RunOrigin } from '../../../domain/run/run.ts'
import type { TakenVisit, Visit, VisitWork } from '../../../domain/run/visit.ts'
import type { PinnedPlaybook } from '../../../ports/store/pinned-playbook-records.ts'

export type RunColumns = {
  id: RunId
  jobId: JobId
  taskId: TaskId
  parentId: VisitId | null
  origin: RunOrigin | null
  playbook: Run['playbook']
  goal: string
  inputs: Run['inputs']
  members: Cast
  baseCommit: string
  continues: ContinuedWork | null
  children: ChildPlaybooks | null
  counters: Run['counters']
  state: Run['state']
  status: Generated<string>
  recoveries: number
  activeMs: number
  runningSince: Date | null
  version: number
  createdAt: Date
  endedAt: Date | null
}

export type VisitColumns = {
  id: VisitId
  runId: RunId
  ordinal: number
  stage: string
  round: number
  branch: number
  inputs: Visit['inputs']
  item: unknown
  taken: TakenVisit | null
  state: Visit['state']
  attemptId: AttemptId | null
  tries: number
  recoveries: Visit['recoveries']
  replaced: Visit['replaced']
  troubles: Visit['troubles']
  problem: string | null
  commit: string | null
  work: VisitWork | null
  answer: unknown
  version: number
  createdAt: Date
  endedAt: Date | null
}

export type PinnedPlaybookColumns = {
  hash: string
  name: string
  playbook: PinnedPlaybook['playbook']
  files: PinnedPlaybook['files']
  createdAt: Generated<Date>
}
