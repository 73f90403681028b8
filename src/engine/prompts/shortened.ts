/** The head of a text that is too long, cut at a line where one is near, with a note of what is missing. */
export function shortenedText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const lineBreak = text.lastIndexOf('\n', limit)
  const head = text.slice(0, lineBreak > limit / 2 ? lineBreak : limit)
  return `${head}\n[shortened: ${text.length - head.length} more characters]`
}

/** The first lines of a list, bounded in number and in size, with a note of how many there are in all. */
export function shortenedList(lines: readonly string[], limit: number, total = lines.length): string {
  const shown = lines.slice(0, limit)
  const rest = total - shown.length
  return (rest > 0 ? [...shown, `[and ${rest} more]`] : shown).join('\n')
}
