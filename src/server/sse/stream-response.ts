import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { ApiFailure } from '../../contract/failure/api-failure.ts'
import type { StreamId } from '../../domain/id.ts'
import { type Result, success } from '../../domain/result.ts'
import type { EventFeed } from '../../ports/event-feed.ts'
import type { Log } from '../../ports/log.ts'
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
}

export type OpenedStream = { readonly first: SseMessage; readonly source: EventSource }

export type StreamPlan = {
  readonly outgoing: ServerResponse
  readonly topic: StreamId | 'all'
  /** How long to rest without a wake before looking again. */
  readonly restMs: number
  /** Called after subscribing, so that nothing falls between what it finds and what is woken for. */
  open(): Promise<Result<OpenedStream, ApiFailure>>
}

/** Holds a client's stream from its first word to its last; fails only before the first. */
export async function streamResponse(
  needs: StreamNeeds,
  plan: StreamPlan,
): Promise<Result<Response, ApiFailure>> {
  const { outgoing } = plan
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

  // Nothing follows a stream on its connection, so a server that stops need not wait for what might.
  outgoing.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', connection: 'close' })
  outgoing.write(encodeMessage(opened.value.first))
  try {
    await pumpEvents({
      outgoing,
      latch,
      source: opened.value.source,
      restMs: plan.restMs,
      stallMs: needs.times.stallMs,
      heartbeatMs: needs.times.heartbeatMs,
      stopped: controller.signal,
    })
  } catch (error) {
    // The answer has begun, so the only thing left to say is its end; the client comes back for the rest.
    needs.log.warn({ error, topic: plan.topic }, 'a stream of events broke off')
  }
  if (!outgoing.destroyed) outgoing.end()
  return success(RESPONSE_ALREADY_SENT)
}
