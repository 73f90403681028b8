import { FollowError } from '../../client/index.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import { jobEvents } from './resilient-events.ts'

const JOB_ENDS: ReadonlySet<string> = new Set(['job_completed', 'job_cancelled', 'job_error'])

type Followed = { readonly link: DaemonLink; readonly jobId: string; readonly after: number }

/** Whether the job ended before the signal. Shows nothing; the events are shown afterwards. */
export async function untilFinished({ link, jobId, after }: Followed, signal: AbortSignal): Promise<boolean> {
  const events = jobEvents({ link, say: () => {} }, jobId, signal, after)
  try {
    for await (const event of events) if (JOB_ENDS.has(event.type)) return true
  } catch (error) {
    // The question stays open. If the person keeps following, the error is shown then.
    if (!(error instanceof FollowError)) throw error
    return false
  }
  return !signal.aborted && link.problem() === undefined
}
