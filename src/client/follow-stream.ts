import { HTTP_LIMITS } from '../domain/limits/http-limits.ts'
import { type ApiError, unreachableError } from './api-error.ts'
import { addressOf, type CallNeeds, problemOf } from './call-route.ts'
import { FollowError } from './follow-error.ts'
import { openStream } from './open-stream.ts'
import { readServerEvents, type ServerEvent } from './read-server-events.ts'
import type { ApiRoute, CallOptions } from './route-input.ts'

const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 5_000
/** The server says something at every heartbeat; after three of silence the connection is dead. */
const SILENCE_LIMIT_MS = 3 * HTTP_LIMITS.heartbeatMs

export type FollowOptions = CallOptions & {
  /** Called when the stream broke; it reconnects after `retryInMs`. */
  readonly onInterrupt?: ((error: ApiError, retryInMs: number) => void) | undefined
}

/** What a message means to the follower. `place` is where to go on from after an interruption. */
export type Reading<Item> =
  | { readonly type: 'item'; readonly item: Item; readonly place: string }
  | { readonly type: 'place'; readonly place: string }
  | { readonly type: 'nothing' }
  | { readonly type: 'end' }

export type Stream<Item> = {
  readonly route: ApiRoute
  readonly params?: Readonly<Record<string, string>>
  readonly after?: string | undefined
  read(message: ServerEvent, place: string | undefined): Reading<Item>
}

type Progress = { place: string | undefined; delayMs: number }

/**
 * Follows a stream over interruptions, without gaps and without repeats, until it ends or the signal fires.
 * Throws FollowError when trying again cannot help.
 */
export async function* followStream<Item>(
  needs: CallNeeds,
  stream: Stream<Item>,
  options: FollowOptions,
): AsyncGenerator<Item, void> {
  const stopped = options.signal ?? new AbortController().signal
  const progress: Progress = { place: stream.after, delayMs: FIRST_DELAY_MS }
  while (!stopped.aborted) {
    const interruption = yield* followOnce(needs, stream, progress, stopped)
    if (interruption === 'ended' || stopped.aborted) return
    if (!isWorthAnotherTry(interruption)) throw new FollowError(interruption)
    options.onInterrupt?.(interruption, progress.delayMs)
    await pause(progress.delayMs, stopped)
    progress.delayMs = Math.min(progress.delayMs * 2, LONGEST_DELAY_MS)
  }
}

/** One connection: gives its items, moves the progress, and answers why it broke. */
async function* followOnce<Item>(
  needs: CallNeeds,
  stream: Stream<Item>,
  progress: Progress,
  stopped: AbortSignal,
): AsyncGenerator<Item, ApiError | 'ended'> {
  using connection = watchSilence(stopped)
  const address = addressOf(stream.route, stream.params, { after: progress.place })
  const opened = await openStream(needs, address, connection.signal)
  if (!opened.ok) return opened.failure
  try {
    for await (const message of readServerEvents(opened.value, connection.refresh)) {
      progress.delayMs = FIRST_DELAY_MS
      const reading = stream.read(message, progress.place)
      if (reading.type === 'end') return 'ended'
      if (reading.type === 'nothing') continue
      progress.place = reading.place
      if (reading.type === 'item') yield reading.item
    }
    return unreachableError(needs.url, 'the stream was cut')
  } catch (error) {
    if (error instanceof FollowError) throw error
    return unreachableError(needs.url, problemOf(error))
  }
}

/** A signal that fires with `stopped`, when nothing came for too long, or when it is let go. */
function watchSilence(stopped: AbortSignal) {
  const controller = new AbortController()
  const end = () => controller.abort()
  let timer = setTimeout(end, SILENCE_LIMIT_MS)
  return {
    signal: AbortSignal.any([stopped, controller.signal]),
    refresh() {
      clearTimeout(timer)
      timer = setTimeout(end, SILENCE_LIMIT_MS)
    },
    [Symbol.dispose]() {
      clearTimeout(timer)
      end()
    },
  }
}

/** A daemon that is away or troubled may come back; a refusal stays one. */
function isWorthAnotherTry(error: ApiError): boolean {
  return error.status === 0 || error.status >= 500 || error.status === 408 || error.status === 429
}

async function pause(ms: number, stopped: AbortSignal): Promise<void> {
  if (stopped.aborted) return
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      stopped.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    stopped.addEventListener('abort', done)
  })
}
