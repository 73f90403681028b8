import type { z } from 'zod'
import {
  askedSchema,
  messageListSchema,
  messagePageSchema,
  messageSchema,
  skillListSchema,
  skillSchema,
  type WireAsked,
  type WireAskRequest,
  type WireCompleteRequest,
  type WireHandoffRequest,
  type WireMessage,
  type WireProgressRequest,
  type WireSendRequest,
  type WireSkill,
  type WireSkillSummary,
} from '../contract/message.ts'
import type { Result } from '../domain/result.ts'
import type { ApiError } from './api-error.ts'
import { callJson } from './call-json.ts'
import type { CallNeeds, CallOptions } from './call-needs.ts'
import type { ConnectOptions } from './connect.ts'

type Answer<Data> = Promise<Result<Data, ApiError>>
type Items<Item> = { readonly items: readonly Item[] }
type WaitOptions = CallOptions & { readonly wait?: number | undefined }

/** What an agent can do from inside its session. The same promises as those of a person's client. */
export interface AgentClient {
  inbox(options?: WaitOptions): Answer<Items<WireMessage>>
  acknowledge(ids: readonly string[], options?: CallOptions): Answer<Items<WireMessage>>
  /** What it sent, newest first, with receipts. */
  listSent(options?: CallOptions): Answer<Items<WireMessage>>
  send(request: WireSendRequest, options?: CallOptions): Answer<WireMessage>
  progress(request: WireProgressRequest, options?: CallOptions): Answer<WireMessage>
  complete(request: WireCompleteRequest, options?: CallOptions): Answer<WireMessage>
  handoff(request: WireHandoffRequest, options?: CallOptions): Answer<WireMessage>
  ask(request: WireAskRequest, options?: CallOptions): Answer<WireAsked>
  skills(options?: CallOptions): Answer<Items<WireSkillSummary>>
  skill(name: string, options?: CallOptions): Answer<WireSkill>
}

const ROOT = '/api/agent'
/** On top of what the daemon was asked to wait. */
const SPARE_MS = 15_000

/** A client for the agent of one session, by the address and the token its environment holds. */
export function connectAgent(options: ConnectOptions): AgentClient {
  const needs: CallNeeds = {
    url: options.url.replace(/\/+$/, ''),
    token: options.token,
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
  }
  const get = <Data extends z.ZodType>(path: string, data: Data, rest: WaitOptions = {}) => {
    const { wait, signal } = rest
    const patient = wait === undefined ? {} : { query: { wait }, timeoutMs: wait * 1000 + SPARE_MS }
    return callJson(needs, { method: 'GET', path: `${ROOT}/${path}`, data, signal, ...patient })
  }
  const post = <Data extends z.ZodType>(path: string, body: unknown, data: Data, rest: WaitOptions = {}) => {
    const { wait = 0, signal } = rest
    const timeoutMs = wait * 1000 + 2 * SPARE_MS
    return callJson(needs, { method: 'POST', path: `${ROOT}/${path}`, body, data, signal, timeoutMs })
  }
  return {
    inbox: (rest) => get('inbox', messageListSchema, rest),
    acknowledge: (ids, rest) => post('inbox', { acknowledge: ids }, messageListSchema, rest),
    listSent: (rest) => get('messages', messagePageSchema, rest),
    send: (request, rest) => post('messages', request, messageSchema, rest),
    progress: (request, rest) => post('progress', request, messageSchema, rest),
    complete: (request, rest) => post('complete', request, messageSchema, rest),
    handoff: (request, rest) => post('handoff', request, messageSchema, rest),
    ask: (request, rest) => post('ask', request, askedSchema, { ...rest, wait: request.wait }),
    skills: (rest) => get('skills', skillListSchema, rest),
    skill: (name, rest) => get(`skills/${encodeURIComponent(name)}`, skillSchema, rest),
  }
}
