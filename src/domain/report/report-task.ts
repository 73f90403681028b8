import type { Attempt, AttemptOutcome } from '../attempt/attempt.ts'
import { attemptRulesOf } from '../attempt/attempt-purpose.ts'
import type { AttemptId } from '../id.ts'
import type { Landing } from '../landing/landing.ts'
import { REPORT_LIMITS } from '../limits/report-limits.ts'
import { firstIssueOf } from '../review/describe-issues.ts'
import type { Session } from '../session/session.ts'
import type { Task } from '../task/task.ts'
import { isTaskDenied } from '../task/task-state.ts'
import { countsOf } from '../task/work-changes.ts'
import { coveredBy } from './covered-by.ts'
import { cutText } from './cut-text.ts'
import type { ReportAttempt, ReportCriterion, ReportTask } from './report.ts'
import type { ReportInput } from './report-input.ts'
import { reportLanding } from './report-landing.ts'
import { sumCosts } from './sum-costs.ts'
import { supersededBy } from './superseded-by.ts'

/** What belongs to each task, grouped once for all of them. */
export type TaskGroups = {
  readonly attempts: ReadonlyMap<string, readonly Attempt[]>
  readonly landings: ReadonlyMap<string, readonly Landing[]>
  readonly sessions: ReadonlyMap<AttemptId, readonly Session[]>
}

/** One task with its attempts, its reviews and its entries in the merge queue. */
export function reportTask(snapshot: ReportInput, groups: TaskGroups, task: Task): ReportTask {
  const attempts = groups.attempts.get(task.id) ?? []
  const tries = attempts.filter((attempt) => attemptRulesOf(attempt).makesWork)
  const reviews = attempts.filter((attempt) => attemptRulesOf(attempt).judges)
  const render = (all: readonly Attempt[]) =>
    all
      .map((attempt, index) =>
        reportAttempt(numbered(attempt, index), sessionsOf(groups, attempt), snapshot.now),
      )
      .slice(-REPORT_LIMITS.attemptsPerTask)
  return {
    id: task.id,
    cycleNumber: task.cycleNumber,
    number: task.number,
    description: cutText(task.description),
    priority: task.priority,
    status: task.state.type,
    origin: task.origin.type,
    clauses: task.clauses,
    ...explanationOf(task),
    ...(isTaskDenied(task.state) ? { isDenied: true } : {}),
    ...successorOf(snapshot, task),
    ...resultOf(task),
    rounds: task.rounds,
    criteria: criteriaOf(task),
    attempts: render(tries),
    reviews: render(reviews),
    landings: (groups.landings.get(task.id) ?? [])
      .slice(-REPORT_LIMITS.attemptsPerTask)
      .map((landing) => reportLanding(snapshot, landing)),
    cost: sumCosts(attempts.flatMap((attempt) => sessionsOf(groups, attempt))),
  }
}

/** The visits of a run each number their own attempts, which says nothing among those of the whole task. */
function numbered(attempt: Attempt, index: number): Attempt {
  return attempt.purpose.type === 'visit' ? { ...attempt, number: index + 1 } : attempt
}

function sessionsOf(groups: TaskGroups, attempt: Attempt): readonly Session[] {
  return groups.sessions.get(attempt.id) ?? []
}

function successorOf(snapshot: ReportInput, task: Task): Pick<ReportTask, 'supersededBy' | 'coveredBy'> {
  const successor = supersededBy(snapshot.tasks, task)
  if (successor !== undefined) return { supersededBy: successor.id }
  const covering = coveredBy(snapshot, task)
  return covering === undefined ? {} : { coveredBy: covering.id }
}

function resultOf({ changes, resultSummary }: Task): Pick<ReportTask, 'changes' | 'omissions' | 'summary'> {
  return {
    ...(changes === undefined ? {} : { changes: countsOf(changes) }),
    ...(changes?.omissions === undefined
      ? {}
      : { omissions: changes.omissions.map((line) => cutText(line)) }),
    ...(resultSummary === undefined ? {} : { summary: cutText(resultSummary) }),
  }
}

function explanationOf({ state }: Task): Pick<ReportTask, 'reason' | 'suggestion'> {
  if (!('reason' in state)) return {}
  const suggestion = 'suggestion' in state ? state.suggestion : undefined
  return {
    reason: cutText(state.reason),
    ...(suggestion === undefined ? {} : { suggestion: cutText(suggestion) }),
  }
}

function criteriaOf(task: Task): readonly ReportCriterion[] {
  return task.successCriteria.slice(0, REPORT_LIMITS.listed).map((text, index) => {
    const reported = task.criteria.findLast(({ number }) => number === index + 1)
    if (reported === undefined) return { text: cutText(text) }
    const { isMet, evidence, by } = reported
    return { text: cutText(text), isMet, evidence: cutText(evidence), by }
  })
}

function reportAttempt(attempt: Attempt, sessions: readonly Session[], now: Date): ReportAttempt {
  const { state, agent, tip } = attempt
  const outcome = state.type === 'settled' ? state.outcome : undefined
  return {
    id: attempt.id,
    role: attempt.role,
    number: attempt.number,
    agent: agent.name,
    provider: agent.provider,
    ...(agent.model === undefined ? {} : { model: agent.model }),
    outcome: state.type === 'settled' ? state.outcome.type : state.type,
    ...judgementOf(outcome),
    ...(tip === undefined ? {} : { tip }),
    durationMs: Math.max(0, (attempt.endedAt ?? now).getTime() - attempt.createdAt.getTime()),
    cost: sumCosts(sessions),
  }
}

function judgementOf(outcome: AttemptOutcome | undefined): Pick<ReportAttempt, 'verdict' | 'reason'> {
  if (outcome?.type === 'rejected') return { reason: cutText(outcome.reason) }
  if (outcome?.type !== 'accepted' || outcome.verdict === undefined) return {}
  const words = firstIssueOf(outcome.verdict)
  return { verdict: outcome.verdict.type, ...(words === '' ? {} : { reason: cutText(words) }) }
}
