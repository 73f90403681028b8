import type { Cycle } from '../../domain/cycle/cycle.ts'
import { nextCyclePhase } from '../../domain/cycle/next-cycle-phase.ts'
import type { CycleId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Task } from '../../domain/task/task.ts'
import { taskListDocument } from '../../domain/task/task-list-document.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { deliverWork } from './deliver-work.ts'

type Needs = Pick<EngineNeeds, 'store' | 'hub' | 'clock' | 'crash' | 'log'>

const TASK_LIST = 'TASKLIST.md'
const MAX_RACES = 5

/** Ends a cycle: the task list is committed to the working branch, and the branch goes to the person. */
export async function updateCycle(needs: Needs, cycleId: CycleId): Promise<void> {
  const cycle = await needs.store.read.cycles.find(cycleId)
  if (cycle?.phase !== 'update') return
  const job = await needs.store.read.jobs.find(cycle.jobId)
  if (job === undefined) return
  const tasks = await needs.store.read.tasks.listOfJob(job.id)
  const document = taskListDocument(tasks)
  await commitTaskList(needs, job, cycle, document)
  needs.crash.reach('cycle-update.after-commit')
  const problem = await deliverWork(needs, job)
  needs.crash.reach('cycle-update.after-delivery')
  await closeCycle(needs, cycle, tasks, document, problem)
}

async function commitTaskList(needs: Needs, job: Job, cycle: Cycle, document: string): Promise<void> {
  for (let race = 0; race < MAX_RACES; race += 1) {
    const tip = await needs.hub.branchTip(job.projectId, job.workingBranch)
    if (tip === undefined) throw new Error(`branch ${job.workingBranch} is not in the hub`)
    const message = `Update the task list after cycle ${cycle.number}\n\nMuster-Job: ${job.id}\n`
    const commit = await needs.hub.commitFiles(job.projectId, tip, { [TASK_LIST]: document }, message)
    if (!commit.ok) throw new Error(`task list not committed: ${JSON.stringify(commit.failure)}`)
    if (commit.value === tip) return
    const moved = await needs.hub.moveBranch(job.projectId, job.workingBranch, commit.value, tip)
    if (moved.ok) return
    if (moved.failure.type !== 'branch-moved') throw new Error(`branch not moved: ${moved.failure.type}`)
  }
  throw new Error(`branch ${job.workingBranch} kept moving`)
}

async function closeCycle(
  needs: Needs,
  seen: Cycle,
  tasks: readonly Task[],
  document: string,
  problem: string | undefined,
): Promise<void> {
  await needs.store.withJob(seen.jobId, async (records, job) => {
    const cycle = await records.cycles.find(seen.id)
    const phase = cycle === undefined ? undefined : nextCyclePhase(cycle.phase, 'done')
    if (cycle === undefined || !phase?.ok) return
    const now = needs.clock.now()
    const own = tasks.filter((task) => task.cycleId === cycle.id)
    const tasksCompleted = own.filter((task) => task.state.type === 'completed').length
    const tasksFailed = own.length - tasksCompleted
    const summary = `${tasksCompleted} of ${own.length} tasks landed`
    await records.cycles.save(
      {
        ...cycle,
        phase: phase.value,
        tasksLaunched: own.filter((task) => task.startedAt !== undefined).length,
        tasksCompleted,
        tasksFailed,
        summary,
        completedAt: now,
      },
      {
        audit: {
          actor: 'engine',
          action: 'cycle-end',
          subject: cycle.id,
          detail: { tasksCompleted, tasksFailed },
        },
        events: [
          {
            type: 'cycle_completed',
            jobId: job.id,
            cycle: cycle.number,
            data: { summary, tasksCompleted, tasksFailed, ...(problem === undefined ? {} : { problem }) },
          },
        ],
        follow: [{ type: 'job-advance', jobId: job.id }],
      },
    )
    const { lastError: _, ...rest } = job
    await records.jobs.save(
      {
        ...rest,
        taskList: document,
        updatedAt: now,
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
  })
}
