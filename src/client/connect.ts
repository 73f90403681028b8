import { approvalCalls } from './approval-calls.ts'
import type { CallNeeds, Fetch } from './call-needs.ts'
import { daemonCalls } from './daemon-calls.ts'
import { followAll } from './follow-all.ts'
import { followJob } from './follow-job.ts'
import { jobCalls } from './job-calls.ts'
import { messageCalls } from './message-calls.ts'
import type { MusterClient } from './muster-client.ts'
import { recordCalls } from './record-calls.ts'
import { reportCalls } from './report-calls.ts'
import { sessionCalls } from './session-calls.ts'

export type ConnectOptions = {
  /** Where the daemon listens, for example http://127.0.0.1:4460. */
  readonly url: string
  readonly token: string
  readonly fetch?: Fetch
}

/** A typed client of one daemon. Connects to nothing until it is asked something. */
export function connect(options: ConnectOptions): MusterClient {
  const needs: CallNeeds = {
    url: options.url.replace(/\/+$/, ''),
    token: options.token,
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
  }
  return {
    url: needs.url,
    ...jobCalls(needs),
    ...recordCalls(needs),
    ...reportCalls(needs),
    ...sessionCalls(needs),
    ...approvalCalls(needs),
    ...messageCalls(needs),
    ...daemonCalls(needs),
    follow: (jobId, followOptions) => followJob(needs, jobId, followOptions),
    followAll: (followOptions) => followAll(needs, followOptions),
  }
}
