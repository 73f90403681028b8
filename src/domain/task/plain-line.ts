/** Text as part of one line of Markdown: it can neither begin anything of its own nor hide what follows it. */
export function plainLine(text: string, limit: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const cut = line.length > limit ? `${wholeCharacters(line, limit - 1)}…` : line
  return cut.replaceAll('<', '&lt;')
}

/** Never half of a character that takes two places. */
function wholeCharacters(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}
