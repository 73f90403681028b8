import type { WireJob } from '../../contract/job.ts'
import type { Job } from '../../domain/job/job.ts'
import type { ServerNeeds } from '../server-needs.ts'
import { findWaitingOf } from './find-waiting.ts'
import { jobToWire } from './job-to-wire.ts'

/** A job whole, with what it has cost, what of it waits, and which edits wait for its next cycle. */
export async function showJob(needs: Pick<ServerNeeds, 'store' | 'clock'>, job: Job): Promise<WireJob> {
  const { sessions, documents } = needs.store.read
  const [spentUsd, edits, waiting] = await Promise.all([
    sessions.spentBy(job.id),
    documents.listWaiting(job.id),
    findWaitingOf(needs, job),
  ])
  return jobToWire(job, { now: needs.clock.now(), spentUsd, edits, waiting })
}
