import type { Cycle } from '../../domain/cycle/cycle.ts'
import { countTasks, cycleSummary } from '../../domain/cycle/cycle-summary.ts'
import { distinctLearnings } from '../../domain/cycle/learnings.ts'
import { nextCyclePhase } from '../../domain/cycle/next-cycle-phase.ts'
import { cycleCompleted } from '../../domain/event/cycle-events.ts'
import type { CycleId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { RETRY_LIMITS } from '../../domain/limits/retry-limits.ts'
import type { Task } from '../../domain/task/task.ts'
import { taskListDocument } from '../../domain/task/task-list-document.ts'
import { TASK_LIST_FILE } from '../../domain/task/task-list-file.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { deliverWork } from './deliver-work.ts'
import { appendLearnings } from './job-documents.ts'

type Needs = Pick<EngineNeeds, 'store' | 'branches' | 'commits' | 'clock' | 'crash' | 'log'>

/** Ends a cycle: commits the task list to the working branch, if the plan says so, and delivers the branch. */
export async function updateCycle(needs: Needs, cycleId: CycleId): Promise<void> {
  const cycle = await needs.store.read.cycles.find(cycleId)
  if (cycle?.phase !== 'update') return
  const job = await needs.store.read.jobs.find(cycle.jobId)
  if (job === undefined) return
  const tasks = await needs.store.read.tasks.listOfJob(job.id)
  const own = tasks.filter((task) => task.cycleId === cycle.id)
  const summary = cycleSummary(own)
  const cycles = (await needs.store.read.cycles.listOf(job.id)).map((one) =>
    one.id === cycle.id ? { ...one, summary } : one,
  )
  const document = taskListDocument({ tasks, cycles, requestedTasks: job.requestedTasks })
  if (job.plan.taskList !== 'none') await commitTaskList(needs, job, cycle, document)
  needs.crash.reach('cycle-update.after-commit')
  const problem = await deliverWork(needs, job)
  needs.crash.reach('cycle-update.after-delivery')
  await closeCycle(needs, cycle, { tasks: own, document, summary, problem })
}

async function commitTaskList(needs: Needs, job: Job, cycle: Cycle, document: string): Promise<void> {
  const message = `Update the task list after cycle ${cycle.number}\n\nMuster-Job: ${job.id}\n`
  for (let race = 0; race < RETRY_LIMITS.taskListCommits; race += 1) {
    const tip = await needs.branches.tip(job.projectId, job.workingBranch)
    if (tip === undefined) throw new Error(`branch ${job.workingBranch} is not in the hub`)
    const commit = await commitOnto(needs, job, tip, { [TASK_LIST_FILE]: document }, message)
    if (commit === tip) return
    const moved = await needs.branches.move(job.projectId, job.workingBranch, commit, tip)
    if (moved.ok) return
    if (moved.failure.type !== 'branch-moved')
      throw new Error(`the branch could not be moved: ${moved.failure.type}`)
  }
  throw new Error(`branch ${job.workingBranch} kept moving`)
}

/**
 * Returns the new commit, or the tip if nothing changes or no file can have this name. The task list is also stored
 * with the job.
 */
async function commitOnto(
  needs: Needs,
  job: Job,
  tip: string,
  files: Readonly<Record<string, string>>,
  message: string,
): Promise<string> {
  const commit = await needs.commits.commitFiles(job.projectId, tip, files, message)
  if (commit.ok) return commit.value
  if (commit.failure.type !== 'path-taken') {
    throw new Error(`the task list could not be committed: ${JSON.stringify(commit.failure)}`)
  }
  needs.log.warn({ jobId: job.id, path: commit.failure.path }, 'the task list could not be committed')
  return tip
}

type Update = {
  /** The tasks of this cycle. */
  readonly tasks: readonly Task[]
  readonly document: string
  readonly summary: string
  /** Why the branch could not be delivered, if it could not. */
  readonly problem: string | undefined
}

async function closeCycle(needs: Needs, seen: Cycle, update: Update): Promise<void> {
  await needs.store.withJob(seen.jobId, async (records, job) => {
    const cycle = await records.cycles.find(seen.id)
    if (cycle === undefined || !(await storeCycle(needs, records, cycle, update))) return
    const learnings = distinctLearnings(cycle.learnings)
    await appendLearnings(needs, records, job, learnings)
    await storeJob(needs, records, job, update)
  })
}

async function storeCycle(needs: Needs, records: Records, cycle: Cycle, update: Update): Promise<boolean> {
  const phase = nextCyclePhase(cycle.phase, 'done')
  if (!phase.ok) return false
  const { tasks, summary, problem } = update
  const learnings = distinctLearnings(cycle.learnings).join('\n')
  const done: Cycle = {
    ...cycle,
    ...countTasks(tasks),
    phase: phase.value,
    summary,
    ...(learnings === '' ? {} : { learnings }),
    completedAt: needs.clock.now(),
  }
  const { tasksCompleted, tasksFailed } = done
  await records.cycles.save(done, {
    audit: {
      actor: 'engine',
      action: 'cycle-end',
      subject: cycle.id,
      detail: { tasksCompleted, tasksFailed },
    },
    events: [cycleCompleted(done, summary, problem)],
    follow: [{ type: 'job-advance', jobId: cycle.jobId }],
  })
  return true
}

async function storeJob(needs: Needs, records: Records, job: Job, update: Update): Promise<void> {
  const { lastError: _, ...rest } = job
  const { document, problem } = update
  await records.jobs.save(
    {
      ...rest,
      taskList: document,
      updatedAt: needs.clock.now(),
      ...(problem === undefined ? {} : { lastError: problem }),
    },
    {
      audit: {
        actor: 'engine',
        action: 'job-update',
        subject: job.id,
        detail: { delivered: problem === undefined },
      },
    },
  )
}
