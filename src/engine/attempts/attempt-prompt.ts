import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Task } from '../../domain/task/task.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { plannerPrompt } from '../prompts/planner-prompt.ts'
import { workerPrompt } from '../prompts/worker-prompt.ts'

type Needs = Pick<EngineNeeds, 'store' | 'hub' | 'settings'>

/** The whole prompt of an attempt, from the rows and the commit it starts from. */
export async function promptOf(
  needs: Needs,
  job: Job,
  attempt: Attempt,
  task: Task | undefined,
): Promise<string> {
  if (task === undefined) return promptOfPlanner(needs, job, attempt)
  return workerPrompt({
    description: task.description,
    context: task.context,
    successCriteria: task.successCriteria,
    branch: task.branch,
    goal: job.requestDocument,
    ...(task.lastFailure === undefined ? {} : { lastFailure: task.lastFailure }),
    handoffs: attempt.handoffs,
    boundary: needs.settings.makeBoundary(),
  })
}

async function promptOfPlanner(needs: Needs, job: Job, attempt: Attempt): Promise<string> {
  const { read } = needs.store
  const [cycles, tasks, tries, overview] = await Promise.all([
    read.cycles.listOf(job.id),
    read.tasks.listOfJob(job.id),
    read.attempts.listOfDiscovery(attempt.cycleId),
    needs.hub.overview(job.projectId, attempt.baseCommit ?? job.baseCommit),
  ])
  if (!overview.ok) throw new Error(`the repository could not be listed: ${JSON.stringify(overview.failure)}`)
  const previous = tries.find((tried) => tried.number === attempt.number - 1)?.state
  return plannerPrompt({
    goal: job.requestDocument,
    taskList: job.taskList,
    cycle: job.currentCycle,
    branch: job.workingBranch,
    recentCommits: overview.value.recentCommits,
    files: overview.value.files,
    totalFiles: overview.value.totalFiles,
    earlierCycles: cycles.flatMap(({ number, summary }) =>
      summary === undefined ? [] : [{ number, summary }],
    ),
    setbacks: tasks.flatMap(setbackOf),
    ...(previous?.type === 'settled' && previous.outcome.type === 'rejected'
      ? { previousProblem: previous.outcome.reason }
      : {}),
    boundary: needs.settings.makeBoundary(),
  })
}

function setbackOf(task: Task): readonly { readonly description: string; readonly reason: string }[] {
  const { state } = task
  if (state.type !== 'failed' && state.type !== 'blocked') return []
  return [{ description: `${task.cycleNumber}.${task.number} ${task.description}`, reason: state.reason }]
}
