import type {
  WireAskRequest,
  WireCompleteRequest,
  WireHandoffRequest,
  WireProgressRequest,
  WireSendRequest,
} from '../contract/message.ts'
import * as routes from '../contract/routes/message-routes.ts'
import { type Call, createCall } from './call-route.ts'
import { type ConnectOptions, callNeeds } from './connect.ts'
import type { CallOptions, RouteQuery } from './route-input.ts'

/** The calls that an agent makes from inside its session. The contract of MusterClient applies to them too. */
export type AgentClient = ReturnType<typeof agentCalls>

/** Added to the time that the daemon is asked to wait. */
const SPARE_MS = 30_000

/** Creates a client for the agent of one session, from the address and the token in its environment. */
export function connectAgent(options: ConnectOptions): AgentClient {
  return agentCalls(createCall(callNeeds(options)))
}

export function agentCalls(call: Call) {
  return {
    inbox: ({ signal, wait = 0 }: CallOptions & { readonly wait?: number | undefined } = {}) =>
      call(routes.readInboxRoute, {
        query: wait === 0 ? {} : { wait },
        signal,
        timeoutMs: wait * 1000 + SPARE_MS,
      }),
    acknowledge: (ids: readonly string[], options?: CallOptions) =>
      call(routes.acknowledgeInboxRoute, { body: { acknowledge: [...ids] }, ...options }),
    /** Newest first, with receipts. */
    listSent: (options?: CallOptions) => call(routes.listSentRoute, { ...options }),
    /** With its whole text. */
    readMessage: (id: string, options?: CallOptions) =>
      call(routes.readMessageRoute, { params: { id }, ...options }),
    /** The conversation of the session's run, newest first. */
    thread: ({ signal, ...query }: CallOptions & RouteQuery<typeof routes.readThreadRoute> = {}) =>
      call(routes.readThreadRoute, { query, signal }),
    send: (request: WireSendRequest, options?: CallOptions) =>
      call(routes.sendAsAgentRoute, { body: request, ...options }),
    progress: (request: WireProgressRequest, options?: CallOptions) =>
      call(routes.reportProgressRoute, { body: request, ...options }),
    complete: (request: WireCompleteRequest, options?: CallOptions) =>
      call(routes.claimCompleteRoute, { body: request, ...options }),
    handoff: (request: WireHandoffRequest, options?: CallOptions) =>
      call(routes.handOffRoute, { body: request, ...options }),
    ask: (request: WireAskRequest, options?: CallOptions) =>
      call(routes.askQuestionRoute, {
        body: request,
        ...options,
        timeoutMs: (request.wait ?? 0) * 1000 + SPARE_MS,
      }),
    skills: (options?: CallOptions) => call(routes.listSkillsRoute, { ...options }),
    skill: (name: string, options?: CallOptions) =>
      call(routes.readSkillRoute, { params: { name }, ...options }),
  }
}
