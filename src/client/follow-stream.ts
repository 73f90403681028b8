import { HTTP_LIMITS } from '../domain/limits/http-limits.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { type ApiError, badAnswerError, FollowError, readFailure, unreachableError } from './api-error.ts'
import { addressOf, type CallNeeds, problemOf } from './call-route.ts'
import { readServerEvents, type ServerEvent } from './read-server-events.ts'
import type { ApiRoute, CallOptions } from './route-input.ts'

const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 5_000
/** The server sends a heartbeat. If three are missing, the connection is dead. */
const SILENCE_LIMIT_MS = 3 * HTTP_LIMITS.heartbeatMs

export type FollowOptions = CallOptions & {
  /** Called when the stream breaks; the client reconnects after `retryInMs`. */
  readonly onInterrupt?: ((error: ApiError, retryInMs: number) => void) | undefined
}

/** What a message means to the follower. After an interruption, the stream continues from `place`. */
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
 * Follows a stream, reconnecting without gaps or repeats, until the stream ends or the signal fires. Throws FollowError
 * if trying again cannot help.
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

/** Reads one connection: yields its items, advances the progress, and returns why the connection broke. */
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
    return unreachableError(needs.url, 'the stream ended early')
  } catch (error) {
    if (error instanceof FollowError) throw error
    return unreachableError(needs.url, problemOf(error))
  }
}

/** Opens a stream of server-sent events. The signal also ends it while it is being read. */
async function openStream(
  needs: CallNeeds,
  pathAndQuery: string,
  signal: AbortSignal,
): Promise<Result<AsyncIterable<Uint8Array>, ApiError>> {
  try {
    const response = await needs.fetch(`${needs.url}${pathAndQuery}`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${needs.token}` },
      signal,
      redirect: 'error',
    })
    if (!response.ok) return failure(readFailure(response.status, await response.text()))
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (!isStream || response.body === null) {
      return failure(badAnswerError(response.status, 'not an event stream'))
    }
    return success(chunksOf(response.body))
  } catch (error) {
    return failure(unreachableError(needs.url, problemOf(error)))
  }
}

/** Uses a reader, because not every browser can iterate over a body. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    reader.releaseLock()
  }
}

/** A signal that fires with `stopped`, after too long without data, or when it is disposed. */
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

/** A daemon that is down or failing may recover, but a refusal is final. */
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
