/** One line of a program's output, or one piece of a line too long to be held whole. */
export type SpoolLine = {
  readonly text: string
  /** True for every piece of a line longer than the limit. The pieces together are the line: nothing is lost. */
  readonly truncated: boolean
}

export type CutOptions = {
  readonly maxLineBytes: number
  /** Nothing will follow these bytes: what has no line end is a line too. */
  readonly atEnd: boolean
  /** The byte before these is no line end: they begin in the middle of a line that was already given in part. */
  readonly continued?: boolean
  /** No more lines than this at once, however short they are. */
  readonly maxLines?: number
  /** Lines with nothing in them are passed over, however many there are. */
  readonly skipsEmpty?: boolean
}

export type CutLines = { readonly lines: readonly SpoolLine[]; readonly consumed: number }

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
/** Room for the longest UTF-8 character, so that a piece always holds at least one. */
const LEAST_LINE_BYTES = 4
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Cuts output into lines. Where it cuts depends on the bytes alone and not on how many were read at once, so
 * reading again from any offset it reached gives the same lines. It gets ahead whenever it is given more than
 * `maxLineBytes`, or the end. Text is what a database can hold: what is not UTF-8, and NUL, become U+FFFD.
 */
export function cutLines(bytes: Uint8Array, options: CutOptions): CutLines {
  if (options.maxLineBytes < LEAST_LINE_BYTES) throw new RangeError('maxLineBytes is too small')
  const lines: SpoolLine[] = []
  let offset = 0
  let continued = options.continued ?? false
  const maxLines = options.maxLines ?? Number.POSITIVE_INFINITY
  while (offset < bytes.length && lines.length < maxLines) {
    if (options.skipsEmpty === true && bytes[offset] === LINE_FEED) {
      offset += 1
      continued = false
      continue
    }
    const cut = findCut(bytes, offset, options)
    if (cut === undefined) break
    lines.push({ text: decode(bytes.subarray(offset, cut.textEnd)), truncated: continued || cut.isPiece })
    continued = cut.isPiece
    offset = cut.next
  }
  return { lines, consumed: offset }
}

type Cut = { readonly textEnd: number; readonly next: number; readonly isPiece: boolean }

function findCut(bytes: Uint8Array, start: number, options: CutOptions): Cut | undefined {
  const limit = start + options.maxLineBytes
  const lineFeed = bytes.subarray(start, limit + 1).indexOf(LINE_FEED)
  if (lineFeed >= 0) {
    const end = start + lineFeed
    const hasReturn = end > start && bytes[end - 1] === CARRIAGE_RETURN
    return { textEnd: hasReturn ? end - 1 : end, next: end + 1, isPiece: false }
  }
  if (bytes.length > limit) {
    const end = characterBoundary(bytes, limit)
    return { textEnd: end, next: end, isPiece: true }
  }
  return options.atEnd ? { textEnd: bytes.length, next: bytes.length, isPiece: false } : undefined
}

/** The last place at or before `limit` that does not split a character, if these bytes are UTF-8 at all. */
function characterBoundary(bytes: Uint8Array, limit: number): number {
  for (let end = limit; end > limit - LEAST_LINE_BYTES; end -= 1) {
    const byte = bytes[end]
    if (byte !== undefined && (byte & 0xc0) !== 0x80) return end
  }
  return limit
}

function decode(bytes: Uint8Array): string {
  return DECODER.decode(bytes).replaceAll('\u0000', '\uFFFD')
}
