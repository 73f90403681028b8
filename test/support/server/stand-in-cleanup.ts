import { failure, success } from '../../../src/domain/result.ts'
import type { CleanupCommands, SizedDeletion } from '../../../src/engine/cleanup/cleanup-commands.ts'
import type { SizedWork } from '../../../src/engine/cleanup/list-pinned-work.ts'
import { NOW, sampleAttempt, sampleId, sampleJob, sampleTask } from './sample-records.ts'

const WORK: SizedWork = {
  id: sampleAttempt.id,
  projectId: sampleId('project'),
  commit: 'c'.repeat(40),
  base: 'b'.repeat(40),
  repositoryPath: '/garden',
  job: sampleJob(),
  task: sampleTask(1),
  agent: 'mine',
  fate: 'unlanded',
  reason: 'check "npm test" exited with code 1',
  at: NOW,
  size: { files: 2, added: 10, removed: 3, bytes: 400 },
}

const PLAN: SizedDeletion = {
  job: sampleJob(),
  running: [],
  forks: [],
  missing: [],
  uncollected: [],
  unlanded: [WORK],
  superseded: 0,
  bytes: 1_234,
}

/** Cleanup commands that only record their calls. */
export function createStandInCleanup(acts: string[]): CleanupCommands {
  return {
    async pinned({ job, isAll }) {
      acts.push(`pinned ${job} ${isAll}`)
      return job === undefined || job === sampleJob().id
        ? success([WORK])
        : failure({ type: 'job-not-found', jobId: job })
    },
    async restore(id, { branch = 'muster/recovered-t1-1-00000', withRefusedWork = false } = {}) {
      acts.push(`restore ${id} ${branch}${withRefusedWork ? ' although refused' : ''}`)
      if (branch === 'main') return failure({ type: 'recovery-branch-taken', branch })
      return success({ work: WORK, branch, isNew: true })
    },
    async preview(jobId) {
      acts.push(`preview ${jobId}`)
      return success(PLAN)
    },
    async delete(jobId, { withUnlandedWork = false, withBranch = false }) {
      acts.push(`delete ${jobId} ${withUnlandedWork} ${withBranch}`)
      return withUnlandedWork ? success(PLAN) : failure({ type: 'work-unlanded', jobId, works: ['t1-1'] })
    },
    async collect(isDryRun) {
      acts.push(`collect ${isDryRun}`)
      const reason = 'its session has ended'
      const files = { what: 'session-files', reason, bytes: 7 } as const
      return [
        { ...files, name: 'ses_1', isKept: false },
        { ...files, name: 'ses_2', isKept: true },
      ]
    },
    async clean({ endedBefore = NOW, isDryRun }) {
      acts.push(`clean ${endedBefore.toISOString()} ${isDryRun}`)
      return { endedBefore, isDryRun, jobs: [{ job: sampleJob(), bytes: 10, unlanded: [WORK] }] }
    },
  }
}
