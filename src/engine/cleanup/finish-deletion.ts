import type { JobId } from '../../domain/id.ts'
import type { GitFailure } from '../../domain/repository/repository-failure.ts'
import type { Result } from '../../domain/result.ts'
import type { Deletion } from '../../ports/store/deletion-records.ts'
import { describeFailure } from '../describe-failure.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { programOf } from '../sessions/program-of.ts'
import { treeOf } from '../trees/tree-of.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'branches' | 'pins' | 'trees' | 'host' | 'terminals' | 'settings' | 'crash' | 'log'
>

/**
 * Removes what is left of a job whose rows are gone: its refs in the hub, the person's branch if they asked for that,
 * its trees and the files of its sessions. Every step does nothing if it was done before.
 * `keptBranch`: the person's branch was to go too, but had moved or was checked out.
 */
export async function finishDeletion(needs: Needs, jobId: JobId): Promise<{ readonly keptBranch: boolean }> {
  const deletion = await needs.store.read.deletions.find(jobId)
  if (deletion === undefined) return { keptBranch: false }
  const { projectId, workingBranch, snapshot, pins } = deletion
  const keptBranch = await settleBranch(needs, deletion)
  requireDone(await needs.pins.remove(projectId, pins))
  const others = await needs.store.read.jobs.list({ projectId }, { limit: Number.MAX_SAFE_INTEGER })
  // A later job may use the same name, after this one has ended.
  if (others.every((job) => job.workingBranch !== workingBranch)) {
    requireDone(await needs.branches.drop(projectId, workingBranch))
  }
  if (snapshot !== undefined && others.every(({ baseCommit }) => baseCommit !== snapshot)) {
    requireDone(await needs.branches.dropSnapshot(projectId, snapshot))
  }
  needs.crash.reach('job-delete.after-refs')
  for (const session of deletion.sessions) await removeFiles(needs, session)
  for (const owner of deletion.trees) await needs.trees.remove(treeOf(needs, owner))
  needs.crash.reach('job-delete.after-files')
  await needs.store.transact((records) =>
    records.deletions.end(jobId, {
      audit: { actor: 'engine', action: 'job-deleted', subject: jobId, detail: {} },
    }),
  )
  return { keptBranch }
}

/** The branch may have moved or been checked out since. Then it stays, because it is the person's. */
async function settleBranch({ branches, store, log }: Needs, deletion: Deletion): Promise<boolean> {
  const { jobId, repositoryPath, workingBranch, removedBranch } = deletion
  if (removedBranch === undefined) return false
  const { ok: isRemoved } = await branches.removeFrom(repositoryPath, workingBranch, removedBranch)
  if (!isRemoved) log.warn({ jobId }, 'a working branch was kept')
  // Later steps may fail and be tried again, when the person may have made the branch anew.
  await store.transact((records) =>
    records.deletions.settleBranch(jobId, {
      audit: { actor: 'engine', action: 'branch-delete', subject: jobId, detail: { isRemoved } },
    }),
  )
  return !isRemoved
}

async function removeFiles(needs: Needs, session: Deletion['sessions'][number]): Promise<void> {
  for (let processNumber = 1; processNumber <= session.processNumber; processNumber += 1) {
    await programOf(needs, { ...session, processNumber }).remove()
  }
}

/** A failure is retried by the queue, and later by the reconciler. */
function requireDone(done: Result<void, GitFailure>): void {
  if (!done.ok) throw new Error(describeFailure(done.failure))
}
