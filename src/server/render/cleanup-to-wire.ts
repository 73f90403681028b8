import type {
  WireCleaned,
  WireDeletedJob,
  WireGarbage,
  WirePinnedWork,
  WireRestoredWork,
} from '../../contract/cleanup.ts'
import { jobTitle } from '../../domain/job/job-title.ts'
import { taskName } from '../../domain/task/task-name.ts'
import type { Cleaned } from '../../engine/cleanup/clean-jobs.ts'
import type { SizedDeletion } from '../../engine/cleanup/cleanup-commands.ts'
import type { Garbage } from '../../engine/cleanup/collect-garbage.ts'
import type { SizedWork } from '../../engine/cleanup/list-pinned-work.ts'
import type { RestoredWork } from '../../engine/cleanup/restore-work.ts'
import { reasonOf } from './job-to-wire.ts'

export function pinnedToWire(work: SizedWork): WirePinnedWork {
  const { id, job, task, agent, repositoryPath, fate, reason, refusal, at, commit, base, size } = work
  return {
    id,
    ...(job === undefined ? {} : { jobId: job.id }),
    ...(task === undefined ? {} : { taskId: task.id, task: taskName(task) }),
    title: task?.description ?? (job === undefined ? `session of ${agent}` : jobTitle(job.requestDocument)),
    agent,
    repositoryPath,
    status: fate,
    reason,
    ...(refusal === undefined ? {} : { refusal }),
    at: at.toISOString(),
    commit,
    base,
    ...size,
  }
}

export function restoredToWire({ work, branch, isNew }: RestoredWork): WireRestoredWork {
  return { work: pinnedToWire(work), branch, isNew }
}

export function deletedToWire(plan: SizedDeletion, isDryRun: boolean): WireDeletedJob {
  const { job, running, unlanded, superseded, undelivered, removedBranch, bytes } = plan
  return {
    jobId: job.id,
    title: jobTitle(job.requestDocument),
    workingBranch: job.workingBranch,
    repositoryPath: job.repositoryPath,
    isDryRun,
    running: [...running],
    unlanded: unlanded.map(pinnedToWire),
    superseded,
    ...(undelivered === undefined ? {} : { undelivered }),
    isBranchRemoved: removedBranch !== undefined,
    bytes,
  }
}

export function cleanedToWire({ endedBefore, isDryRun, jobs }: Cleaned): WireCleaned {
  const removed = jobs.filter(({ kept }) => kept === undefined)
  return {
    endedBefore: endedBefore.toISOString(),
    isDryRun,
    jobs: jobs.map(({ job, bytes, unlanded, kept }) => ({
      jobId: job.id,
      title: jobTitle(job.requestDocument),
      repositoryPath: job.repositoryPath,
      status: job.state.type,
      reason: reasonOf(job.state),
      ...(job.completedAt === undefined ? {} : { endedAt: job.completedAt.toISOString() }),
      bytes,
      unlanded: unlanded.map(({ id, task }) => (task === undefined ? id : taskName(task))),
      ...(kept === undefined ? {} : { kept }),
    })),
    bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

export function garbageToWire(items: readonly Garbage[], isDryRun: boolean): WireGarbage {
  const removed = items.filter(({ isKept }) => !isKept)
  return { isDryRun, items: [...items], bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0) }
}
