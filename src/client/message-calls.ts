import type { Page } from '../contract/envelope.ts'
import {
  messagePageSchema,
  messageSchema,
  type WireMessage,
  type WirePersonMessageRequest,
} from '../contract/message.ts'
import type { Result } from '../domain/result.ts'
import type { ApiError } from './api-error.ts'
import { callJson } from './call-json.ts'
import type { CallNeeds, CallOptions } from './call-needs.ts'

type Answer<Data> = Promise<Result<Data, ApiError>>

export type MessageOptions = CallOptions & {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly job?: string | undefined
  readonly session?: string | undefined
  /** `person` for what is for people, `agent:<name>`, `role:<role>` or a session's id. */
  readonly recipient?: string | undefined
  readonly kind?: WireMessage['kind'] | undefined
}

/** Letters, for people. */
export interface MessageCalls {
  listMessages(options?: MessageOptions): Answer<Page<WireMessage>>
  /** With `inReplyTo` it answers a question. */
  sendMessage(
    request: WirePersonMessageRequest,
    options?: CallOptions & { readonly idempotencyKey?: string | undefined },
  ): Answer<WireMessage>
  acknowledgeMessage(messageId: string, options?: CallOptions): Answer<WireMessage>
}

const MESSAGES = '/api/messages'

export function messageCalls(needs: CallNeeds): MessageCalls {
  return {
    listMessages: ({ signal, ...query } = {}) =>
      callJson(needs, { method: 'GET', path: MESSAGES, query, data: messagePageSchema, signal }),
    sendMessage: (request, { idempotencyKey, signal } = {}) =>
      callJson(needs, {
        method: 'POST',
        path: MESSAGES,
        body: request,
        headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
        data: messageSchema,
        signal,
      }),
    acknowledgeMessage: (messageId, { signal } = {}) =>
      callJson(needs, {
        method: 'POST',
        path: `${MESSAGES}/${encodeURIComponent(messageId)}/acknowledge`,
        data: messageSchema,
        signal,
      }),
  }
}
