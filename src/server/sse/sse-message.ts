/** One server-sent event. Without an id it does not move the place a client comes back to. */
export type SseMessage = { readonly id?: string; readonly event: string; readonly data: unknown }

/** JSON has no line breaks outside strings and escapes those inside, so the data is always one line. */
export function encodeMessage(message: SseMessage): string {
  const id = message.id === undefined ? '' : `id: ${message.id}\n`
  return `${id}event: ${message.event}\ndata: ${JSON.stringify(message.data)}\n\n`
}
