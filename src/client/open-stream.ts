import { failure, type Result, success } from '../domain/result.ts'
import { type ApiError, badAnswerError, unreachableError } from './api-error.ts'
import { type CallNeeds, problemOf } from './call-route.ts'
import { readFailure } from './read-failure.ts'

/** Starts a stream of server-sent events; the signal ends it, also while it is being read. */
export async function openStream(
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
      return failure(badAnswerError(response.status, 'not a stream of events'))
    }
    return success(chunksOf(response.body))
  } catch (error) {
    return failure(unreachableError(needs.url, problemOf(error)))
  }
}

/** A reader loop, because not every browser can iterate a body. */
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
