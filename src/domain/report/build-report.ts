import { describeAction } from '../approval/describe-action.ts'
import { taskIdOf } from '../attempt/attempt-purpose.ts'
import type { AttemptId } from '../id.ts'
import { activeMsOf } from '../job/job.ts'
import type { JobState } from '../job/job-state.ts'
import { REPORT_LIMITS } from '../limits/report-limits.ts'
import type { Session } from '../session/session.ts'
import { attemptIdOf } from '../session/session-purpose.ts'
import type { Task } from '../task/task.ts'
import { isTaskDenied } from '../task/task-state.ts'
import { clausesServed, isCovered } from './covered-by.ts'
import { cutLine, cutText } from './cut-text.ts'
import type { Report, ReportBlocker, ReportClause } from './report.ts'
import type { ReportInput } from './report-input.ts'
import { reportRun } from './report-run.ts'
import { reportTask, type TaskGroups } from './report-task.ts'
import { sumByAgent, sumCosts } from './sum-costs.ts'
import { unlandedNotes } from './unlanded-notes.ts'
import { deniedTasks, whyNotReady } from './why-not-ready.ts'

/** What a job did, with the evidence, from rows and git alone; bounded in size. */
export function buildReport(snapshot: ReportInput): Report {
  const { job, tasks, sessions, now } = snapshot
  const shown = tasks.slice(-REPORT_LIMITS.tasks)
  const groups = groupByTask(snapshot)
  const reason = reasonOf(job.state)
  const notReady = whyNotReady(snapshot)
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
    clauses: clausesOf(snapshot, shown),
    tasks: shown.map((task) => reportTask(snapshot, groups, task)),
    otherTasks: shown
      .filter((task) => clausesServed(snapshot.clauses.length, task).length === 0)
      .map(({ id }) => id),
    omittedTasks: tasks.length - shown.length,
    runs: snapshot.runs.map(reportRun),
    blockers: listBlockers(snapshot),
    cost: sumCosts(sessions),
    agents: sumByAgent(sessions, now),
    ...mergedOf(snapshot),
    finalizeReady: notReady.length === 0,
    denied: deniedTasks(snapshot).map(({ id }) => id),
    notReady,
    notes: notesOf(snapshot),
  }
}

function mergedOf({ base }: ReportInput): Pick<Report, 'merged'> {
  if (base?.type !== 'merged') return {}
  return { merged: base.commit === undefined ? {} : { commit: base.commit } }
}

function notesOf(input: ReportInput): readonly string[] {
  const { job, base } = input
  const { baseBranch, workingBranch, plan } = job
  const { snapshot } = plan
  return [
    ...(base?.type === 'apart'
      ? [
          `${baseBranch} has moved since ${workingBranch} began: a merge commit is needed, and it will be checked`,
        ]
      : []),
    ...(snapshot === undefined
      ? []
      : [
          `the job started from uncommitted changes (${snapshot.fileCount === 1 ? '1 file' : `${snapshot.fileCount} files`}), which are part of ${workingBranch}`,
        ]),
    ...unlandedNotes(input),
  ]
}

function clausesOf(snapshot: ReportInput, shown: readonly Task[]): readonly ReportClause[] {
  return snapshot.clauses.map((text, index) => {
    const number = index + 1
    const serving = shown.filter((task) => clausesServed(snapshot.clauses.length, task).includes(number))
    const evidence = evidenceOfClause(evidenceOf(snapshot.job.state), snapshot.clauses, number)
    return {
      number,
      text: cutText(text),
      status: clauseStatus(snapshot, serving, evidence.length > 0),
      tasks: serving.map(({ id }) => id),
      evidence,
    }
  })
}

/** A skipped or denied task serves no clause and blocks none. A clause that has no other tasks is not done. */
function clauseStatus(
  snapshot: ReportInput,
  serving: readonly Task[],
  hasEvidence: boolean,
): ReportClause['status'] {
  const relevant = serving.filter(({ state }) => state.type !== 'skipped' && !isTaskDenied(state))
  if (relevant.length === 0) return hasEvidence ? 'shown' : serving.length === 0 ? 'untouched' : 'open'
  const isServed = relevant.every((task) => task.state.type === 'completed' || isCovered(snapshot, task))
  return isServed ? 'served' : 'open'
}

function reasonOf(state: JobState): string | undefined {
  if (state.type === 'completed' || state.type === 'cancelled') return state.reason
  return state.type === 'error' ? state.error : undefined
}

function evidenceOf(state: JobState): readonly string[] {
  const evidence = state.type === 'completed' ? state.evidence : []
  return evidence.slice(0, REPORT_LIMITS.listed).map((text) => cutText(text))
}

function groupByTask({ attempts, landings, sessions }: ReportInput): TaskGroups {
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

const SEPARATOR = ' — '

/**
 * The lines of a job's evidence about one clause, without the clause itself: each line begins with the clause, cut if
 * it is long. If the goal has only one clause, all evidence is about it.
 */
function evidenceOfClause(
  evidence: readonly string[],
  clauses: readonly string[],
  number: number,
): readonly string[] {
  if (clauses.length === 1) return evidence
  const clause = clauses[number - 1] ?? ''
  return evidence.flatMap((line) => {
    if (line.startsWith(`${clause}${SEPARATOR}`)) return [line.slice(clause.length + SEPARATOR.length)]
    const cut = line.indexOf(`…${SEPARATOR}`)
    return cut > 0 && clause.startsWith(line.slice(0, cut)) ? [line.slice(cut + 1 + SEPARATOR.length)] : []
  })
}

/** Everything that blocks the job, with what a person can do about it. */
function listBlockers(snapshot: ReportInput): readonly ReportBlocker[] {
  return [
    ...taskBlockers(snapshot),
    ...snapshot.plannerBlockers.map((text) => ({ type: 'planner' as const, text: cutText(text) })),
    ...snapshot.approvals.map(({ id, action }) => ({
      type: 'approval' as const,
      id,
      text: cutLine(describeAction(action, 'an agent')),
    })),
    ...snapshot.questions.map(({ id, subject, body }) => ({
      type: 'question' as const,
      id,
      text: cutLine(subject === '' ? body : subject),
    })),
  ].slice(0, REPORT_LIMITS.listed)
}

function taskBlockers(snapshot: ReportInput): readonly ReportBlocker[] {
  return snapshot.tasks.flatMap((task): ReportBlocker[] => {
    const { state } = task
    if ((state.type !== 'blocked' && state.type !== 'failed') || isTaskDenied(state)) return []
    if (isCovered(snapshot, task)) return []
    const { suggestion } = state
    return [
      {
        type: 'task',
        id: task.id,
        text: cutLine(state.reason),
        ...(suggestion === undefined ? {} : { suggestion: cutLine(suggestion) }),
      },
    ]
  })
}
