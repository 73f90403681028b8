import type { Job } from '../../domain/job/job.ts'
import type { Records } from '../../ports/store/store.ts'

export type BaseOutcome = {
  /** Where the base branch is; or the commit that brought it in. */
  readonly commit: string
  /** Why it could not be brought in; absent when it was. */
  readonly problem?: string
}

/** Stores what came of bringing the moved base branch in: the next planner is told of what is in the way. */
export async function storeBaseOutcome(records: Records, job: Job, outcome: BaseOutcome): Promise<void> {
  const { commit, problem } = outcome
  const { movedBase: _, ...rest } = job
  await records.jobs.save(problem === undefined ? rest : { ...rest, movedBase: { commit, problem } }, {
    audit: {
      actor: 'engine',
      action: 'base-follow',
      subject: job.id,
      detail: { isIn: problem === undefined },
    },
    events: [
      {
        type: problem === undefined ? 'landing_landed' : 'landing_rejected',
        jobId: job.id,
        cycle: job.currentCycle,
        data: {
          base: job.baseBranch,
          commit,
          ...(problem === undefined ? {} : { reason: `${job.baseBranch} moved, and ${problem}` }),
        },
      },
    ],
    // A job that pauses, or is at its end, waits for this.
    follow: [{ type: 'job-advance', jobId: job.id }],
  })
}
