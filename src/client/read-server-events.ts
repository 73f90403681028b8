import { createParser, type EventSourceMessage } from 'eventsource-parser'

/** One server-sent event. Fields that the server did not send are absent. */
export type ServerEvent = EventSourceMessage

/** Our messages are much shorter. A longer one is not from our server. */
const MAX_MESSAGE_CHARACTERS = 8 * 1024 * 1024

/** Splits a body into messages. A message that the end of the body cuts off is dropped. */
export async function* readServerEvents(
  body: AsyncIterable<Uint8Array>,
  onBytes: () => void = () => {},
): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  const parsed: ServerEvent[] = []
  const parser = createParser({
    maxBufferSize: MAX_MESSAGE_CHARACTERS,
    onEvent: (message) => parsed.push(message),
    onError: (error) => {
      // Unknown fields are reported here too, but do no harm.
      if (error.type === 'max-buffer-size-exceeded') throw error
    },
  })
  for await (const chunk of body) {
    onBytes()
    parser.feed(decoder.decode(chunk, { stream: true }))
    yield* parsed.splice(0)
  }
}
