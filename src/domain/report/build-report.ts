import { taskIdOf } from '../attempt/attempt-purpose.ts'
import type { AttemptId } from '../id.ts'
import { activeMsOf } from '../job/job.ts'
import type { JobState } from '../job/job-state.ts'
import type { Session } from '../session/session.ts'
import { attemptIdOf } from '../session/session-purpose.ts'
import type { Task } from '../task/task.ts'
import { evidenceOfClause } from './evidence-of-clause.ts'
import { listBlockers } from './list-blockers.ts'
import type { Report, ReportClause } from './report.ts'
import type { ReportInput } from './report-input.ts'
import { cutText, REPORT_LIMITS } from './report-limits.ts'
import { reportTask, type TaskShelves } from './report-task.ts'
import { sumByAgent, sumCosts } from './sum-costs.ts'
import { supersededBy } from './superseded-by.ts'
import { whyNotReady } from './why-not-ready.ts'

/** What a job did and what it rests on, from rows and git alone; bounded in size. */
export function buildReport(sight: ReportInput): Report {
  const { job, tasks, sessions, now } = sight
  const shown = tasks.slice(-REPORT_LIMITS.tasks)
  const shelves = shelve(sight)
  const reason = reasonOf(job.state)
  const notReady = whyNotReady(sight)
  return {
    jobId: job.id,
    projectId: job.projectId,
    repositoryPath: job.repositoryPath,
    baseBranch: job.baseBranch,
    baseCommit: job.baseCommit,
    workingBranch: job.workingBranch,
    status: job.state.type,
    ...(reason === undefined ? {} : { reason: cutText(reason) }),
    evidence: evidenceOf(job.state),
    cycles: job.currentCycle,
    activeMs: activeMsOf(job, now),
    ...(job.startedAt === undefined ? {} : { startedAt: job.startedAt }),
    ...(job.completedAt === undefined ? {} : { completedAt: job.completedAt }),
    at: now,
    checks: job.plan.checks,
    clauses: clausesOf(sight, shown),
    tasks: shown.map((task) => reportTask(sight, shelves, task)),
    otherTasks: shown.filter((task) => clausesServed(sight, task).length === 0).map(({ id }) => id),
    omittedTasks: tasks.length - shown.length,
    blockers: listBlockers(sight),
    cost: sumCosts(sessions),
    agents: sumByAgent(sessions, now),
    finalizeReady: notReady.length === 0,
    notReady,
    notes: notesOf(sight),
  }
}

function notesOf({ job, base }: ReportInput): readonly string[] {
  if (base?.type !== 'apart') return []
  const { baseBranch, workingBranch } = job
  return [
    `${baseBranch} has moved on from ${workingBranch}: a merge commit will be needed, and it will be checked`,
  ]
}

function clausesOf(sight: ReportInput, shown: readonly Task[]): readonly ReportClause[] {
  return sight.clauses.map((text, index) => {
    const number = index + 1
    const serving = shown.filter((task) => clausesServed(sight, task).includes(number))
    const evidence = evidenceOfClause(evidenceOf(sight.job.state), sight.clauses, number)
    const status = clauseStatus(sight, serving)
    return {
      number,
      text: cutText(text),
      status: status === 'untouched' && evidence.length > 0 ? 'shown' : status,
      tasks: serving.map(({ id }) => id),
      evidence,
    }
  })
}

/** A skipped task serves nothing and stands in nobody's way. */
function clauseStatus({ tasks }: ReportInput, serving: readonly Task[]): ReportClause['status'] {
  const wanted = serving.filter(({ state }) => state.type !== 'skipped')
  if (wanted.length === 0) return 'untouched'
  const isServed = wanted.every(
    (task) => task.state.type === 'completed' || supersededBy(tasks, task) !== undefined,
  )
  return isServed ? 'served' : 'open'
}

/** A goal of one clause is served by all that is done for it. */
function clausesServed({ clauses }: ReportInput, task: Task): readonly number[] {
  if (clauses.length === 1) return [1]
  return task.clauses.filter((number) => number >= 1 && number <= clauses.length)
}

function reasonOf(state: JobState): string | undefined {
  if (state.type === 'completed' || state.type === 'cancelled') return state.reason
  return state.type === 'error' ? state.error : undefined
}

function evidenceOf(state: JobState): readonly string[] {
  const evidence = state.type === 'completed' ? state.evidence : []
  return evidence.slice(0, REPORT_LIMITS.listed).map((text) => cutText(text))
}

function shelve({ attempts, landings, sessions }: ReportInput): TaskShelves {
  const ofAttempts = sessions.flatMap((session) => {
    const attemptId = attemptIdOf(session)
    return attemptId === undefined ? [] : [[attemptId, session] as const]
  })
  return {
    attempts: grouped(attempts.map((attempt) => [taskIdOf(attempt) ?? '', attempt])),
    landings: grouped(landings.map((landing) => [landing.taskId, landing])),
    sessions: grouped<AttemptId, Session>(ofAttempts),
  }
}

function grouped<Key, Item>(pairs: readonly (readonly [Key, Item])[]): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const [key, item] of pairs) {
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
