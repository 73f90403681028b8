import type { GateAction } from '../../domain/approval/approval-action.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import { activeMsOf } from '../../domain/job/job.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import type { ReportCost } from '../../domain/report/report.ts'
import { sumCosts } from '../../domain/report/sum-costs.ts'
import { type Result, success } from '../../domain/result.ts'
import type { Degradation } from '../../domain/run/degradation.ts'
import { describeRun } from '../../domain/run/describe-run.ts'
import type { NextCommand } from '../../domain/run/next-commands.ts'
import type { Run } from '../../domain/run/run.ts'
import type { RunError } from '../../domain/run/run-errors.ts'
import { resultOfRun } from '../../domain/run/run-work.ts'
import { type RoleSummary, type RunWithVisits, summarizeRoles } from '../../domain/run/summarize-roles.ts'
import { type StageSummary, summarizeStages } from '../../domain/run/summarize-stages.ts'
import { summarizeWork } from '../../domain/run/summarize-work.ts'
import {
  type Artifact,
  artifactsOf,
  type Decision,
  decisionsOf,
  type Finding,
  findingsOf,
} from '../../domain/run/typed-results.ts'
import type { Session } from '../../domain/session/session.ts'
import { attemptIdOf } from '../../domain/session/session-purpose.ts'
import type { Clock } from '../../ports/clock.ts'
import { findRecord, type NotFound, type Reads } from './find-record.ts'
import { type RunView, viewRun } from './runs.ts'

/** Everything that a run came to, as far as it has come. */
export type RunResult = {
  readonly run: Run
  readonly summary: string
  /** From 0 to 1; it never decreases. */
  readonly progress: number
  /** From its start to its end, or until now. */
  readonly durationMs: number
  /** Without pauses, and without the time in which only a person could go on. */
  readonly activeMs: number
  readonly visits: number
  readonly stages: readonly StageSummary[]
  readonly roles: readonly RoleSummary[]
  readonly artifacts: readonly Artifact[]
  readonly findings: readonly Finding[]
  readonly decisions: readonly Decision[]
  readonly documents: GateAction['shows']
  readonly errors: readonly RunError[]
  /** What to do about a run that waits, that left documents, or that ended badly. */
  readonly next: readonly NextCommand[]
  readonly degradation?: Degradation
  readonly cost: ReportCost
  /** The entry of the merge queue that has its work. */
  readonly landing?: Landing
}

type Needs = Reads & { readonly clock: Clock }

export async function showRunResult(needs: Needs, id: string): Promise<Result<RunResult, NotFound>> {
  const run = await findRecord('run', id, (runId) => needs.store.read.runs.find(runId))
  return run.ok ? success(await resultOf(needs, await viewRun(needs, run.value))) : run
}

export async function resultOf(needs: Needs, view: RunView): Promise<RunResult> {
  const { run, visits, playbook, progress, documents, errors, next, degradation } = view
  const { attempts, sessions, landing } = await effortOf(needs, view)
  const now = needs.clock.now()
  const artifacts = artifactsOf(playbook, visits)
  const work = resultOfRun(playbook, run, visits)
  return {
    run,
    summary: describeRun({
      run,
      visits,
      made: (work && summarizeWork(playbook, visits, work)) ?? artifacts.at(-1)?.summary,
      ...(landing === undefined ? {} : { landing: landing.state }),
    }),
    progress,
    durationMs: Math.max(0, (run.endedAt ?? now).getTime() - run.createdAt.getTime()),
    activeMs: activeMsOf(run, now),
    visits: visits.length,
    stages: summarizeStages(playbook, visits, now),
    roles: summarizeRoles(withChildren(view), { attempts, sessions, now }),
    artifacts,
    findings: findingsOf(playbook, visits),
    decisions: decisionsOf(playbook, visits),
    documents,
    errors,
    next,
    cost: sumCosts(sessions),
    ...(degradation === undefined ? {} : { degradation }),
    ...(landing === undefined ? {} : { landing }),
  }
}

function withChildren(view: RunView): readonly RunWithVisits[] {
  return [view, ...view.children.flatMap(withChildren)]
}

export type Effort = {
  readonly attempts: readonly Attempt[]
  readonly sessions: readonly Session[]
  readonly landing: Landing | undefined
}

/** The attempts and sessions of a run and of those within it, and the landing of its work. */
export async function effortOf({ store: { read } }: Reads, view: RunView): Promise<Effort> {
  const { taskId, jobId, state } = view.run
  const [ofTask, ofJob, landings] = await Promise.all([
    read.attempts.listOfTask(taskId),
    read.sessions.listOfJob(jobId),
    read.landings.listOfTask(taskId),
  ])
  const runs = new Set(withChildren(view).map(({ run }) => run.id))
  const attempts = ofTask.filter(({ purpose }) => purpose.type === 'visit' && runs.has(purpose.runId))
  const ids = new Set(attempts.map(({ id }) => id))
  const sessions = ofJob.filter((session) => {
    const attemptId = attemptIdOf(session)
    return attemptId !== undefined && ids.has(attemptId)
  })
  const work = state.type === 'ended' ? view.visits.find(({ id }) => id === state.work) : undefined
  const landing = landings.findLast(({ tip }) => work?.commit !== undefined && tip === work.commit)
  return { attempts, sessions, landing }
}
