const START = '<!-- muster:start -->'
const END = '<!-- muster:end -->'

/** Muster's part of a text, between marks that forges don't show. */
export function markedBody(report: string): string {
  return `${START}\n${report.trim()}\n${END}\n`
}

/** Replaces Muster's part of a text and keeps what people wrote around it. If they removed the marks, it is added. */
export function replaceMarked(text: string, report: string): string {
  const from = text.indexOf(START)
  const to = text.indexOf(END, from)
  const part = markedBody(report).trimEnd()
  if (from === -1 || to === -1) return text.trim() === '' ? `${part}\n` : `${text.trimEnd()}\n\n${part}\n`
  return `${text.slice(0, from)}${part}${text.slice(to + END.length)}`
}
