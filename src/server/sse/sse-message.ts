/** One server-sent event. Without an id it doesn't change where a client resumes. */
export type SseMessage = {
  readonly id?: string
  readonly event: string
  /** JSON, which has no line breaks outside strings and escapes those inside, so it is always one line. */
  readonly json: string
}

export function encodeMessage(message: SseMessage): string {
  const id = message.id === undefined ? '' : `id: ${message.id}\n`
  return `${id}event: ${message.event}\ndata: ${message.json}\n\n`
}
