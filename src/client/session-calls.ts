import { type Page, pageSchema } from '../contract/envelope.ts'
import { eventPageSchema, type WireEvent, type WireEventPage } from '../contract/event.ts'
import { sessionSchema, type WireSession } from '../contract/session.ts'
import type { SessionQuery } from '../contract/session-query.ts'
import type { WireOpenSessionRequest, WireSessionQuestion } from '../contract/session-requests.ts'
import type { Result } from '../domain/result.ts'
import type { ApiError } from './api-error.ts'
import { callJson } from './call-json.ts'
import type { CallNeeds, CallOptions } from './call-needs.ts'
import { type FollowSessionOptions, followSession } from './follow-session.ts'

type Answer<Data> = Promise<Result<Data, ApiError>>

export type SessionOptions = CallOptions & {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly job?: string | undefined
  readonly agent?: string | undefined
  readonly role?: string | undefined
  /** `live` is every status but terminated. */
  readonly status?: SessionQuery['status']
  readonly purpose?: SessionQuery['purpose']
  /** Only those whose conversation can be gone on with. */
  readonly resumable?: boolean | undefined
}

export type TranscriptOptions = CallOptions & {
  readonly after?: number | undefined
  readonly limit?: number | undefined
  /** The last so many instead of a page. */
  readonly tail?: number | undefined
}

/** Conversations with agents: look at them, begin them, and speak to them. */
export interface SessionCalls {
  listSessions(options?: SessionOptions): Answer<Page<WireSession>>
  getSession(sessionId: string, options?: CallOptions): Answer<WireSession>
  listSessionEvents(sessionId: string, options?: TranscriptOptions): Answer<WireEventPage>
  followSession(sessionId: string, options?: FollowSessionOptions): AsyncGenerator<WireEvent, void>
  openSession(request: WireOpenSessionRequest, options?: CallOptions): Answer<WireSession>
  /** Gives the session that asks; when it is over, the text of its turn is the answer. */
  askSession(question: WireSessionQuestion, options?: CallOptions): Answer<WireSession>
  stopSession(
    sessionId: string,
    options?: CallOptions & { readonly reason?: string | undefined; readonly force?: boolean | undefined },
  ): Answer<WireSession>
  suspendSession(
    sessionId: string,
    options?: CallOptions & { readonly reason?: string | undefined },
  ): Answer<WireSession>
  resumeSession(
    sessionId: string,
    options?: CallOptions & { readonly prompt?: string | undefined },
  ): Answer<WireSession>
  interruptSession(sessionId: string, options?: CallOptions): Answer<WireSession>
  say(sessionId: string, text: string, options?: CallOptions): Answer<WireSession>
}

const SESSIONS = '/api/sessions'
/** Opening a session brings the repository in first, which takes its time when it is large. */
const OPEN_TIMEOUT_MS = 10 * 60_000

export function sessionCalls(needs: CallNeeds): SessionCalls {
  const begin = (path: string, body: unknown, options: CallOptions) =>
    callJson(needs, {
      method: 'POST',
      path,
      body,
      data: sessionSchema,
      timeoutMs: OPEN_TIMEOUT_MS,
      ...options,
    })
  const act = (sessionId: string, verb: string, body: unknown, options: CallOptions) =>
    callJson(needs, {
      method: 'POST',
      path: `${pathOf(sessionId)}/${verb}`,
      body,
      data: sessionSchema,
      ...options,
    })
  return {
    listSessions: ({ signal, resumable, ...rest } = {}) => {
      const query = { ...rest, resumable: resumable === true ? 'true' : undefined }
      return callJson(needs, {
        method: 'GET',
        path: SESSIONS,
        query,
        data: pageSchema(sessionSchema),
        signal,
      })
    },
    getSession: (sessionId, { signal } = {}) =>
      callJson(needs, { method: 'GET', path: pathOf(sessionId), data: sessionSchema, signal }),
    listSessionEvents: (sessionId, { signal, ...query } = {}) =>
      callJson(needs, {
        method: 'GET',
        path: `${pathOf(sessionId)}/events`,
        query,
        data: eventPageSchema,
        signal,
      }),
    followSession: (sessionId, options) => followSession(needs, sessionId, options),
    openSession: (request, { signal } = {}) => begin(SESSIONS, request, { signal }),
    askSession: (question, { signal } = {}) => begin(`${SESSIONS}/queries`, question, { signal }),
    stopSession: (sessionId, { reason, force, signal } = {}) =>
      act(sessionId, 'stop', { reason, force }, { signal }),
    suspendSession: (sessionId, { reason, signal } = {}) => act(sessionId, 'suspend', { reason }, { signal }),
    resumeSession: (sessionId, { prompt, signal } = {}) => act(sessionId, 'resume', { prompt }, { signal }),
    interruptSession: (sessionId, { signal } = {}) => act(sessionId, 'interrupt', undefined, { signal }),
    say: (sessionId, text, { signal } = {}) => act(sessionId, 'messages', { text }, { signal }),
  }
}

function pathOf(sessionId: string): string {
  return `${SESSIONS}/${encodeURIComponent(sessionId)}`
}
