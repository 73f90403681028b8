/** One message of a stream of server-sent events. Fields the server did not send are absent. */
export type ServerEvent = {
  readonly id?: string
  readonly event?: string
  readonly data: string
}

/** No message of ours comes near this; more without an end is not our server. */
const MAX_MESSAGE_CHARACTERS = 8 * 1024 * 1024

/**
 * Splits a body into messages. Comments are dropped; a message that was cut off by the end is no message. Lines
 * end in a line feed alone, as our server writes them.
 */
export async function* readServerEvents(
  body: AsyncIterable<Uint8Array>,
  onBytes: () => void = () => {},
): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    onBytes()
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const message = parseMessage(block.split('\n'))
      if (message !== undefined) yield message
    }
    if (rest.length > MAX_MESSAGE_CHARACTERS) throw new Error('a server-sent event has no end')
  }
}

function parseMessage(lines: readonly string[]): ServerEvent | undefined {
  const data: string[] = []
  let id: string | undefined
  let event: string | undefined
  for (const line of lines) {
    const [field, value] = splitField(line)
    if (field === 'data') data.push(value)
    if (field === 'event') event = value
    if (field === 'id') id = value
  }
  if (data.length === 0) return undefined
  return {
    data: data.join('\n'),
    ...(id === undefined ? {} : { id }),
    ...(event === undefined ? {} : { event }),
  }
}

function splitField(line: string): readonly [string, string] {
  const colon = line.indexOf(':')
  if (colon === -1) return [line, '']
  const value = line.slice(colon + 1)
  return [line.slice(0, colon), value.startsWith(' ') ? value.slice(1) : value]
}
