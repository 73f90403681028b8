import type { Clock } from '../../ports/clock.ts'
import type { Reads } from './find-record.ts'
import { type JobSummary, summarize } from './jobs.ts'
import { type SessionView, viewSessions } from './sessions.ts'
import { listWaiting, type Waiting } from './waiting.ts'

/** What is running and what is waiting. */
export type StatusView = {
  readonly jobs: readonly JobSummary[]
  readonly sessions: readonly SessionView[]
  readonly waiting: readonly Waiting[]
}

export async function showStatus(needs: Reads & { readonly clock: Clock }): Promise<StatusView> {
  const { jobs, sessions } = needs.store.read
  const [open, live] = await Promise.all([jobs.listOpen(), sessions.listLive()])
  const [views, waiting] = await Promise.all([viewSessions(needs, live), listWaiting(needs, open, live)])
  return { jobs: open.map((job) => summarize(job, needs.clock.now())), sessions: views, waiting }
}
