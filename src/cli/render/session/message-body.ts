import type { WireMessage } from '../../../contract/message.ts'
import { safeText } from '../text/safe-text.ts'

const MOST_LINES = 20
const MOST_CHARACTERS = 2_000

/** How much of a text is shown: `start` if the message is one of many. */
export type BodyExtent = 'start' | 'whole'

/** The text of a message, indented; if that isn't all of it, also how to read the rest. */
export function bodyLines({ id, body, bodyBytes }: WireMessage, extent: BodyExtent): readonly string[] {
  const whole = safeText(body).trimEnd()
  const shown = extent === 'whole' ? whole : startOf(whole)
  const isCut = shown.length < whole.length || (bodyBytes !== undefined && body.length < bodyBytes / 2)
  const bytes = bodyBytes ?? Buffer.byteLength(body)
  const lines = shown.split('\n').map((line) => `  ${line}`)
  return isCut ? [...lines, `  (${bytes} bytes in all: muster messages ${id})`] : lines
}

function startOf(text: string): string {
  return text.slice(0, MOST_CHARACTERS).split('\n').slice(0, MOST_LINES).join('\n')
}
