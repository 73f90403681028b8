import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { ApiFailure } from '../../contract/failure/api-failure.ts'
import type { StreamId } from '../../domain/id.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { EventFeed } from '../../ports/event-feed.ts'
import type { Log } from '../../ports/log.ts'
import type { ConnectionShares } from '../connections/connection-shares.ts'
import type { ServerTimes } from '../server-needs.ts'
import type { EventSource } from './event-source.ts'
import type { OpenStreams } from './open-streams.ts'
import { pumpEvents } from './pump-events.ts'
import { encodeMessage, type SseMessage } from './sse-message.ts'
import { createWakeLatch } from './wake-latch.ts'

export type StreamNeeds = {
  readonly feed: EventFeed
  readonly log: Log
  readonly times: ServerTimes
  readonly streams: OpenStreams
  readonly shares: Pick<ConnectionShares, 'assign'>
}

export type OpenedStream = { readonly first: SseMessage; readonly source: EventSource }

export type StreamPlan = {
  readonly outgoing: ServerResponse
  readonly topic: StreamId | 'all'
  /** How long to wait without a wake before reading again. */
  readonly idleMs: number
  /** Called after subscribing, so no event falls between what it reads and the first wake. */
  open(): Promise<Result<OpenedStream, ApiFailure>>
}

/** Serves a client's stream from its first message to its last; fails only before the first. */
export async function streamResponse(
  needs: StreamNeeds,
  plan: StreamPlan,
): Promise<Result<Response, ApiFailure>> {
  const { outgoing } = plan
  if (outgoing.socket !== null && !needs.shares.assign(outgoing.socket, { type: 'stream' }))
    return failure({ type: 'too-many-connections', holder: 'stream' })
  const latch = createWakeLatch()
  const controller = new AbortController()
  const stop = () => controller.abort()
  using _stream = needs.streams.add(stop)
  using _subscription = needs.feed.subscribe(plan.topic, () => latch.wake())
  outgoing.once('close', stop)
  outgoing.on('error', stop)
  const opened = await plan.open()
  if (!opened.ok) return opened
  if (outgoing.destroyed) return success(RESPONSE_ALREADY_SENT)

  // Nothing follows a stream on its connection, so a stopping server need not wait for more requests.
  outgoing.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', connection: 'close' })
  outgoing.write(encodeMessage(opened.value.first))
  try {
    await pumpEvents({
      outgoing,
      latch,
      source: opened.value.source,
      idleMs: plan.idleMs,
      stallMs: needs.times.stallMs,
      heartbeatMs: needs.times.heartbeatMs,
      stopped: controller.signal,
    })
  } catch (error) {
    // The response has begun, so all that is left is to end it; the client reconnects for the rest.
    needs.log.warn({ error, topic: plan.topic }, 'an event stream broke')
  }
  if (!outgoing.destroyed) outgoing.end()
  return success(RESPONSE_ALREADY_SENT)
}
