/** Text of bytes that were cut anywhere: a character that was cut through is left out. */
export function cutText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true })
}
