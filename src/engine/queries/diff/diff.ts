import type { ApprovalAction } from '../../../domain/approval/approval-action.ts'
import type { RunId } from '../../../domain/id.ts'
import { isJobFinished } from '../../../domain/job/job-state.ts'
import { LIST_LIMITS } from '../../../domain/limits/list-limits.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { TASK_LIST_FILE } from '../../../domain/task/task-list-file.ts'
import type { TreeDiff } from '../../../ports/history.ts'
import { findRecord } from '../find-record.ts'
import { findSessionRange } from './session-range.ts'
import { findTaskRange } from './task-range.ts'
import type { DiffFailure, DiffNeeds, DiffRange, WorkDiff } from './work-diff.ts'

export type DiffInput = {
  readonly of: 'task' | 'approval' | 'job' | 'session'
  readonly id: string
  /** Whether the diff of a job has the task list, which a merge leaves out. */
  readonly withTaskList?: boolean
}

/** A diff, cut where it is too long to read at once. */
export async function showDiff(
  needs: DiffNeeds,
  { of, id, withTaskList = false }: DiffInput,
): Promise<Result<WorkDiff, DiffFailure>> {
  const range = await findRange(needs, { of, id })
  if (!range.ok) return range
  const { projectId, from, to, hasTaskList = false, isInProgress } = range.value
  const diff = await needs.history.diff(projectId, from, to, LIST_LIMITS.patchBytes)
  if (!diff.ok) return diff
  const work = hasTaskList && !withTaskList ? withoutFile(diff.value, TASK_LIST_FILE) : undefined
  const { files, patch, isCut } = work ?? diff.value
  return success({
    subject: id,
    from,
    to,
    files: files.slice(0, LIST_LIMITS.patchFiles),
    omittedFiles: Math.max(0, files.length - LIST_LIMITS.patchFiles),
    patch,
    isCut,
    ...(isInProgress === undefined ? {} : { inProgress: isInProgress }),
    gitDirectory: `${needs.settings.hubsDirectory}/${projectId}.git`,
    ...(work === undefined ? {} : { leftOut: [TASK_LIST_FILE] }),
  })
}

/** A diff without one file. Undefined if it has no such file, or if the file was renamed, which concerns another one. */
function withoutFile(diff: TreeDiff, path: string): TreeDiff | undefined {
  const change = diff.files.find((file) => file.path === path)
  if (change === undefined || change.from !== undefined) return undefined
  const heading = `diff --git a/${path} b/${path}\n`
  // Every line of a file's content has a mark before it, so a line that starts like this begins the next file.
  const parts = diff.patch.split(/^(?=diff --git )/m).filter((part) => !part.startsWith(heading))
  return { ...diff, files: diff.files.filter((file) => file !== change), patch: parts.join('') }
}

function findRange(
  needs: DiffNeeds,
  { of, id }: Pick<DiffInput, 'of' | 'id'>,
): Promise<Result<DiffRange, DiffFailure>> {
  if (of === 'task') return findTaskRange(needs, id)
  if (of === 'session') return findSessionRange(needs, id)
  return of === 'job' ? findJobRange(needs, id) : findApprovalRange(needs, id)
}

/** Everything a job has landed so far: its working branch against the commit it started from. */
async function findJobRange(needs: DiffNeeds, id: string): Promise<Result<DiffRange, DiffFailure>> {
  const job = await findRecord('job', id, (jobId) => needs.store.read.jobs.find(jobId))
  if (!job.ok) return job
  const { projectId, workingBranch, baseCommit: from, plan } = job.value
  const to = await needs.branches.tip(projectId, workingBranch)
  if (to !== undefined) return success({ projectId, from, to, hasTaskList: plan.taskList !== 'none' })
  const problem = isJobFinished(job.value.state)
    ? 'it ended without a working branch'
    : 'it has no working branch yet'
  return failure({ type: 'no-work', subject: id, problem })
}

/** What lands if a person allows it: exactly the commit of the approval request. */
async function findApprovalRange(needs: DiffNeeds, id: string): Promise<Result<DiffRange, DiffFailure>> {
  const { approvals, candidates, jobs } = needs.store.read
  const approval = await findRecord('approval', id, (approvalId) => approvals.find(approvalId))
  if (!approval.ok) return approval
  const { asker, action } = approval.value
  if (asker.type === 'session') {
    const problem = 'an agent asks to use a tool; there is nothing to land'
    return failure({ type: 'no-work', subject: id, problem })
  }
  if (asker.type !== 'candidate') return await findQuestionRange(needs, asker.runId, action, id)
  const candidate = await candidates.find(asker.candidateId)
  const job = candidate === undefined ? undefined : await jobs.find(candidate.jobId)
  if (candidate === undefined || job === undefined) {
    return failure({ type: 'not-found', what: 'candidate', id: asker.candidateId })
  }
  return success({ projectId: job.projectId, from: candidate.onto, to: candidate.commit })
}

/** The work that a run asks about, from where the run started. */
async function findQuestionRange(
  { store }: DiffNeeds,
  runId: RunId,
  action: ApprovalAction,
  subject: string,
): Promise<Result<DiffRange, DiffFailure>> {
  const run = await store.read.runs.find(runId)
  const job = run === undefined ? undefined : await store.read.jobs.find(run.jobId)
  if (run === undefined || job === undefined) return failure({ type: 'not-found', what: 'run', id: runId })
  if (action.type === 'gate' && action.commit !== undefined) {
    return success({ projectId: job.projectId, from: run.baseCommit, to: action.commit })
  }
  return failure({ type: 'no-work', subject, problem: 'the run has made no work yet' })
}
