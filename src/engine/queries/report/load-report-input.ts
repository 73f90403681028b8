import type { Attempt } from '../../../domain/attempt/attempt.ts'
import { goalClauses } from '../../../domain/goal/goal-clauses.ts'
import type { Job } from '../../../domain/job/job.ts'
import type { Landing } from '../../../domain/landing/landing.ts'
import { REPORT_LIMITS } from '../../../domain/limits/report-limits.ts'
import type { BaseSnapshot, ReportInput } from '../../../domain/report/report-input.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { importBranch } from '../../landing/merge/import-branch.ts'
import { prepareMerge } from '../../landing/merge/prepare-merge.ts'
import { listUnanswered } from '../open-questions.ts'

export type ReportNeeds = Pick<EngineNeeds, 'store' | 'branches' | 'history' | 'commits' | 'clock'>

const TREES_AT_ONCE = 8

/** Loads the content of a report. Every landed commit is verified with git. */
export async function loadReportInput(needs: ReportNeeds, job: Job): Promise<ReportInput> {
  const { read } = needs.store
  const [cycles, tasks, landings, candidates, sessions, approvals] = await Promise.all([
    read.cycles.listOf(job.id),
    read.tasks.listOfJob(job.id),
    read.landings.listOfJob(job.id),
    read.candidates.listOfJob(job.id),
    read.sessions.listOfJob(job.id),
    read.approvals.list({ jobId: job.id, isPending: true }, REPORT_LIMITS.listed),
  ])
  const base = await loadBase(needs, job)
  return {
    job,
    clauses: goalClauses(job.requestDocument),
    tasks,
    attempts: await readAttempts(needs, job, tasks),
    landings,
    candidates,
    sessions,
    approvals,
    questions: await listUnanswered(needs, sessions, job.id),
    // A running planner has not answered yet, so the previous planner's answer counts.
    plannerBlockers: cycles.findLast(({ phase }) => phase !== 'discovery')?.blockers ?? [],
    trees: await readTrees(needs, job, landings),
    isDelivered: await isDelivered(needs, job),
    ...(base === undefined ? {} : { base }),
    now: needs.clock.now(),
  }
}

/** The attempts at the tasks, and the running planner's attempt. */
async function readAttempts(
  needs: ReportNeeds,
  job: Job,
  tasks: readonly Task[],
): Promise<readonly Attempt[]> {
  const { attempts } = needs.store.read
  const [ofTasks, unsettled] = await Promise.all([
    attempts.listOfTasks(tasks.map(({ id }) => id)),
    attempts.listUnsettled(job.id),
  ])
  return [...ofTasks, ...unsettled.filter(({ purpose }) => purpose.type === 'discovery')]
}

async function readTrees(
  needs: ReportNeeds,
  job: Job,
  landings: readonly Landing[],
): Promise<ReadonlyMap<string, string>> {
  const landed = landings.flatMap(({ state }) => (state.type === 'landed' ? [state.commit] : []))
  const commits = [...new Set(landed)]
  const trees = new Map<string, string>()
  for (let from = 0; from < commits.length; from += TREES_AT_ONCE) {
    await Promise.all(
      commits.slice(from, from + TREES_AT_ONCE).map(async (commit) => {
        const tree = await needs.history.treeOf(job.projectId, commit)
        if (tree !== undefined) trees.set(commit, tree)
      }),
    )
  }
  return trees
}

/** What a merge into the base branch would do now; undefined if that cannot be determined. */
async function loadBase(needs: ReportNeeds, job: Job): Promise<BaseSnapshot | undefined> {
  const prepared = await prepareMerge(needs, job, { withTaskList: true, withUncommitted: true })
  if (!prepared.ok) {
    const { failure } = prepared
    return failure.type === 'merge-conflict' ? { type: 'conflict', paths: failure.paths } : undefined
  }
  const merge = prepared.value
  return merge.type === 'commit' ? { type: 'apart', commit: merge.onto } : { type: 'forward' }
}

/** Whether the person's repository has the working branch of the hub; true if there is nothing to deliver. */
async function isDelivered(needs: ReportNeeds, job: Job): Promise<boolean> {
  const tip = await needs.branches.tip(job.projectId, job.workingBranch)
  if (tip === undefined || tip === job.baseCommit) return true
  const theirs = await importBranch(needs, job, job.workingBranch)
  if (!theirs.ok) return false
  return theirs.value === tip || (await needs.history.isAncestor(job.projectId, tip, theirs.value))
}
