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
  daemonCalls,
  jobCalls,
  messageCalls,
  recordCalls,
  sessionCalls,
} from './muster-calls.ts'

export type ConnectOptions = {
  /** Where the daemon listens, for example http://127.0.0.1:4460. */
  readonly url: string
  readonly token: string
  readonly fetch?: Fetch
}

/**
 * The daemon's API. Contract: calls return a Result and never throw for what a daemon or a network does; every call
 * ends on its own after some time, or earlier by its signal. Those that follow throw FollowError when reconnecting
 * cannot help, and end quietly by their signal.
 */
export type MusterClient = ReturnType<typeof connect>

/** A typed client of one daemon. Connects to nothing until the first call. */
export function connect(options: ConnectOptions) {
  const needs = callNeeds(options)
  const call = createCall(needs)
  return {
    url: needs.url,
    ...jobCalls(call),
    ...recordCalls(call),
    ...sessionCalls(call),
    ...approvalCalls(call),
    ...messageCalls(call),
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
