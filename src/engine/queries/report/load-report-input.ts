import type { Attempt } from '../../../domain/attempt/attempt.ts'
import { taskIdOf } from '../../../domain/attempt/attempt-purpose.ts'
import { goalClauses } from '../../../domain/goal/goal-clauses.ts'
import type { Job } from '../../../domain/job/job.ts'
import { isJobFinished } from '../../../domain/job/job-state.ts'
import type { Candidate } from '../../../domain/landing/candidate.ts'
import type { Landing } from '../../../domain/landing/landing.ts'
import { REPORT_LIMITS } from '../../../domain/limits/report-limits.ts'
import type { BaseSnapshot, ReportInput } from '../../../domain/report/report-input.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { importBranch } from '../../landing/merge/import-branch.ts'
import { isMerge } from '../../landing/merge/merge.ts'
import { previewMerge } from '../../landing/merge/prepare-merge.ts'
import { listUnanswered } from '../open-questions.ts'
import { viewRun } from '../runs.ts'

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
  const hasLanded = landings.some(({ state }) => state.type === 'landed')
  const base = await loadBase(needs, job, hasLanded, candidates)
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
    // Until something lands, there is nothing to deliver.
    isDelivered: !hasLanded || (await isDelivered(needs, job)),
    ...(base === undefined ? {} : { base }),
    runs: await readRuns(needs, job),
    now: needs.clock.now(),
  }
}

async function readRuns(needs: ReportNeeds, job: Job): Promise<ReportInput['runs']> {
  const runs = await needs.store.read.runs.listOfJob(job.id)
  const outermost = runs.filter(({ parentId }) => parentId === undefined)
  return await Promise.all(outermost.slice(-REPORT_LIMITS.listed).map((run) => viewRun(needs, run)))
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
  return [...ofTasks, ...unsettled.filter((attempt) => taskIdOf(attempt) === undefined)]
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
async function loadBase(
  needs: ReportNeeds,
  job: Job,
  hasLanded: boolean,
  candidates: readonly Candidate[],
): Promise<BaseSnapshot | undefined> {
  const prepared = await previewMerge(needs, job)
  if (!prepared.ok) {
    const { failure } = prepared
    return failure.type === 'merge-conflict' ? { type: 'conflict', paths: failure.paths } : undefined
  }
  const merge = prepared.value
  if (merge.type === 'commit') return { type: 'apart', commit: merge.onto }
  if (merge.type === 'fast-forward' || !hasLanded || !isJobFinished(job.state)) return { type: 'forward' }
  const commit = await mergeCommitOf(needs, job, merge.base, candidates)
  return { type: 'merged', ...(commit === undefined ? {} : { commit }) }
}

/** The commit with which the work came into the base branch; undefined if the branch has the same changes otherwise. */
async function mergeCommitOf(
  { branches, history }: ReportNeeds,
  { projectId, workingBranch }: Job,
  base: string,
  candidates: readonly Candidate[],
): Promise<string | undefined> {
  const made = candidates.findLast((one) => isMerge(one) && one.state.type === 'landed')?.commit
  const tip = await branches.tip(projectId, workingBranch)
  for (const commit of [made, tip]) {
    if (commit !== undefined && (await history.isAncestor(projectId, commit, base))) return commit
  }
  return undefined
}

/** Whether the person's repository has the working branch of the hub. */
async function isDelivered(needs: ReportNeeds, job: Job): Promise<boolean> {
  const tip = await needs.branches.tip(job.projectId, job.workingBranch)
  if (tip === undefined || tip === job.baseCommit) return true
  const theirs = await importBranch(needs, job, job.workingBranch)
  if (!theirs.ok) return false
  return theirs.value === tip || (await needs.history.isAncestor(job.projectId, tip, theirs.value))
}
