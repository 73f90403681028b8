import type { Attempt } from '../../domain/attempt/attempt.ts'
import { openConflicts } from '../../domain/discovery/conflict-chain.ts'
import { discoveryYield } from '../../domain/discovery/discovery-yield.ts'
import { goalClauses } from '../../domain/goal/goal-clauses.ts'
import type { Job } from '../../domain/job/job.ts'
import { SESSION_LIMITS } from '../../domain/limits/session-limits.ts'
import type { Task } from '../../domain/task/task.ts'
import { taskName } from '../../domain/task/task-name.ts'
import type { Assignment } from '../assignment.ts'
import { settleOnce } from '../attempts/settle-attempt.ts'
import { describeFailure } from '../describe-failure.ts'
import { findConflictTasks } from '../discovery/conflict-tasks.ts'
import { listOffers, readOffers } from '../discovery/playbook-offers.ts'
import { readPlannerAnswer } from '../discovery/read-planner-answer.ts'
import { settleDiscovery } from '../discovery/settle-discovery.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { plannerPrompt, type Setback } from '../prompts/planner-prompt.ts'
import { PLANNER_ANSWER } from './planner-answer.ts'

type Needs = Pick<
  EngineNeeds,
  | 'store'
  | 'branches'
  | 'history'
  | 'commits'
  | 'playbooks'
  | 'host'
  | 'providers'
  | 'clock'
  | 'ids'
  | 'crash'
  | 'settings'
  | 'wakeAt'
>

/** Reads the goal and the repository, and lists the tasks of a cycle or shows that the goal is reached. */
export function createPlanner(needs: Needs): Assignment {
  return {
    mode: 'read',
    startPatienceMs: SESSION_LIMITS.startPatienceMs,
    answer: PLANNER_ANSWER,
    prompt: (job, attempt) => promptOf(needs, job, attempt),
    settle: (job, attempt) => settle(needs, job, attempt),
  }
}

/** Applies a planner's answer, and adds tasks that merge earlier conflicts. */
async function settle(needs: Needs, job: Job, attempt: Attempt): Promise<void> {
  const head = (await needs.branches.tip(job.projectId, job.workingBranch)) ?? job.baseCommit
  const [answer, conflicts] = await Promise.all([
    readPlannerAnswer(needs, attempt),
    findConflictTasks(needs, job, head),
  ])
  const offers = await readOffers(needs, job, answer.answer)
  await settleOnce(needs, attempt, async (records, locked, current) => {
    await settleDiscovery(needs, records, { job: locked, attempt: current, answer, conflicts, offers, head })
    needs.crash.reach('attempt-settle.before-commit')
  })
}

async function promptOf(needs: Needs, job: Job, attempt: Attempt): Promise<string> {
  const { read } = needs.store
  const { purpose } = attempt
  const [cycles, tasks, tries, playbooks, overview] = await Promise.all([
    read.cycles.listOf(job.id),
    read.tasks.listOfJob(job.id),
    purpose.type === 'discovery' ? read.attempts.listOfDiscovery(purpose.cycleId) : [],
    listOffers(needs, job),
    needs.history.overview(job.projectId, attempt.baseCommit ?? job.baseCommit, job.baseCommit),
  ])
  if (!overview.ok)
    throw new Error(`the repository could not be listed: ${describeFailure(overview.failure)}`)
  const merged = openConflicts(tasks).mergeable
  const previous = tries.find((tried) => tried.number === attempt.number - 1)?.state
  return plannerPrompt({
    goal: job.requestDocument,
    clauses: goalClauses(job.requestDocument),
    requestedTasks: job.requestedTasks,
    taskList: job.taskList,
    cycle: job.currentCycle,
    branch: job.workingBranch,
    base: { branch: job.baseBranch, commit: job.baseCommit },
    ...overview.value,
    earlierCycles: cycles.flatMap(({ number, summary }) =>
      summary === undefined ? [] : [{ number, summary }],
    ),
    yields: discoveryYield(cycles),
    setbacks: [
      ...tasks.filter((task) => !isMergedLater(task, tasks)).flatMap(setbackOf),
      ...setbackOfBase(job),
    ],
    playbooks,
    ...(job.plan.taskPlaybook === undefined ? {} : { taskPlaybook: job.plan.taskPlaybook.name }),
    ownTasks: merged.map((task) => `merge ${nameOf(task)} with work that landed in the meantime`),
    ...(previous?.type === 'settled' && previous.outcome.type === 'rejected'
      ? { previousProblem: previous.outcome.reason }
      : {}),
    boundary: needs.settings.makeBoundary(),
  })
}

/** The task that merges it reports its result. */
function isMergedLater(task: Task, tasks: readonly Task[]): boolean {
  return tasks.some(({ origin }) => origin.type === 'conflict' && origin.taskId === task.id)
}

function setbackOf(task: Task): readonly Setback[] {
  const { state } = task
  if (state.type !== 'failed' && state.type !== 'blocked') return []
  const { suggestion } = state
  return [
    {
      description: nameOf(task),
      reason: fullReason(state.reason, task),
      ...(suggestion === undefined ? {} : { suggestion }),
    },
  ]
}

/** The state has only the first line. The last failure has the whole text of a check or a reviewer. */
function fullReason(reason: string, { lastFailure }: Task): string {
  if (lastFailure === undefined || reason.includes(lastFailure)) return reason
  return lastFailure.startsWith(reason) ? lastFailure : `${reason}\n${lastFailure}`
}

function setbackOfBase({ baseBranch, movedBase }: Job): readonly Setback[] {
  if (movedBase === undefined) return []
  const { commit, problem } = movedBase
  return [
    {
      description: `${baseBranch} has moved to ${commit} and is not in this branch`,
      reason: problem,
      suggestion: `list a task that runs \`git merge ${commit}\` and resolves the conflicts`,
    },
  ]
}

function nameOf(task: Task): string {
  return `${taskName(task)} ${task.description}`
}
