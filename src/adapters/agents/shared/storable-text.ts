import { cleanText } from '../../../domain/clean-text.ts'

const LIMIT_BYTES = 64 * 1024

/** Clean text of at most 64 KiB, including a note that gives the number of omitted bytes. */
export function storableText(text: string): string {
  const clean = cleanText(text)
  if (clean.length * 3 <= LIMIT_BYTES) return clean
  const bytes = Buffer.from(clean)
  if (bytes.length <= LIMIT_BYTES) return clean
  const end = characterStart(bytes, LIMIT_BYTES - omission(bytes.length).length)
  return `${bytes.toString('utf8', 0, end)}${omission(bytes.length - end)}`
}

function omission(bytes: number): string {
  return `\n[${bytes} more bytes were left out]`
}

/** The start of the character at `position`, so that a cut never splits a character. */
function characterStart(bytes: Buffer, position: number): number {
  let start = position
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1
  return start
}
