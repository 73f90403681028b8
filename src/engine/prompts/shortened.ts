/** Cuts a text that is too long, at the end of a line if one is near, and notes how much is missing. */
export function shortenedText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const lineBreak = text.lastIndexOf('\n', limit)
  const head = text.slice(0, lineBreak > limit / 2 ? lineBreak : limit)
  return `${head}\n[shortened: ${text.length - head.length} more characters]`
}

/** Cuts the beginning of a text that is too long, because the end of what a command prints says how it went. */
export function shortenedStart(text: string, limit: number): string {
  if (text.length <= limit) return text
  const start = text.length - limit
  const lineBreak = text.indexOf('\n', start)
  const tail = text.slice(lineBreak !== -1 && lineBreak < start + limit / 2 ? lineBreak + 1 : start)
  return `[shortened: ${text.length - tail.length} characters before this]\n${tail}`
}

/** Cuts a text so that, with a note of how much is missing, it has at most `limit` bytes. */
export function shortenedToBytes(text: string, limit: number): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= limit) return text
  const note = (missing: number) => `\n[shortened: ${missing} more bytes]`
  const room = limit - note(bytes.length).length
  // As part of a stream, a character whose last bytes are missing is left out.
  const head = new TextDecoder().decode(bytes.subarray(0, room), { stream: true })
  return `${head}${note(bytes.length - new TextEncoder().encode(head).length)}`
}

/** Cuts a list that is too long, and notes how many lines are missing. */
export function shortenedList(lines: readonly string[], limit: number, total = lines.length): string {
  const shown = lines.slice(0, limit)
  const rest = total - shown.length
  return (rest > 0 ? [...shown, `[and ${rest} more]`] : shown).join('\n')
}
