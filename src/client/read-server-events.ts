import { createParser, type EventSourceMessage } from 'eventsource-parser'

/** One message of a stream of server-sent events. Fields the server did not send are absent. */
export type ServerEvent = EventSourceMessage

/** No message of ours comes near this; a longer one is not from our server. */
const MAX_MESSAGE_CHARACTERS = 8 * 1024 * 1024

/** Splits a body into messages. A message that was cut off by the end of the body is dropped. */
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
      // Unknown fields are errors too, and harmless.
      if (error.type === 'max-buffer-size-exceeded') throw error
    },
  })
  for await (const chunk of body) {
    onBytes()
    parser.feed(decoder.decode(chunk, { stream: true }))
    yield* parsed.splice(0)
  }
}
