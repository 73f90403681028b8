import { type CallNeeds, createCall, type Fetch } from './call-route.ts'
import {
  type FollowAllOptions,
  type FollowJobOptions,
  type FollowSessionOptions,
  followAll,
  followJob,
  followSession,
} from './follow.ts'
import {
  approvalCalls,
  auditCalls,
  backupCalls,
  cleanupCalls,
  daemonCalls,
  jobCalls,
  messageCalls,
  recordCalls,
  sessionCalls,
  trustCalls,
} from './muster-calls.ts'
import { playbookCalls } from './playbook-calls.ts'
import { runCalls } from './run-calls.ts'

export type ConnectOptions = {
  /** Where the daemon listens, for example http://127.0.0.1:4460. */
  readonly url: string
  readonly token: string
  readonly fetch?: Fetch
}

/**
 * The daemon's API. Contract: a call returns a Result and never throws because of the daemon or the network. Every call
 * has a timeout, and its signal can end it earlier. The `follow` calls throw FollowError if reconnecting cannot help,
 * and end without an error when their signal fires.
 */
export type MusterClient = ReturnType<typeof connect>

/** Creates a typed client of one daemon. It connects at the first call. */
export function connect(options: ConnectOptions) {
  const needs = callNeeds(options)
  const call = createCall(needs)
  return {
    url: needs.url,
    ...jobCalls(call),
    ...recordCalls(call),
    ...runCalls(call),
    ...sessionCalls(call),
    ...approvalCalls(call),
    ...messageCalls(call),
    ...auditCalls(call),
    ...backupCalls(call),
    ...trustCalls(call),
    ...playbookCalls(call),
    ...cleanupCalls(call),
    ...daemonCalls(call),
    follow: (jobId: string, following?: FollowJobOptions) => followJob(needs, jobId, following),
    followSession: (sessionId: string, following?: FollowSessionOptions) =>
      followSession(needs, sessionId, following),
    followAll: (following?: FollowAllOptions) => followAll(needs, following),
  }
}

export function callNeeds({ url, token, fetch }: ConnectOptions): CallNeeds {
  return { url: url.replace(/\/+$/, ''), token, fetch: fetch ?? globalThis.fetch.bind(globalThis) }
}
