/** One line of a program's output, or one piece of a line that is too long to keep whole. */
export type SpoolLine = {
  readonly text: string
  /** True for every piece of a line longer than the limit. Together the pieces make up the line. */
  readonly truncated: boolean
}

export type CutOptions = {
  readonly maxLineBytes: number
  /** No bytes will follow, so a last line without a line feed counts as well. */
  readonly atEnd: boolean
  /** At the end, the rest of the output was dropped, so a last line without a line feed is only a piece. */
  readonly isCapped?: boolean
  /** These bytes start in the middle of a line whose first piece was already returned. */
  readonly continued?: boolean
  /** The most lines to return at once. */
  readonly maxLines?: number
  /** Skips empty lines. */
  readonly skipsEmpty?: boolean
}

export type CutLines = { readonly lines: readonly SpoolLine[]; readonly consumed: number }

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
/** Room for the longest UTF-8 character, so that a piece always holds at least one. */
const LEAST_LINE_BYTES = 4

/**
 * Cuts output into lines. Where it cuts depends only on the bytes, not on how many were read at once, so reading again
 * from any offset it reached gives the same lines. It makes progress whenever it gets more than `maxLineBytes`, or the
 * end. Invalid UTF-8 and NUL, which the database can't store, become U+FFFD.
 */
export function cutLines(read: Uint8Array, options: CutOptions): CutLines {
  if (options.maxLineBytes < LEAST_LINE_BYTES) throw new RangeError('maxLineBytes is too small')
  // A buffer decodes and searches short pieces several times as fast as a plain array does.
  const bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength)
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
    lines.push({ text: decode(bytes, offset, cut.textEnd), truncated: continued || cut.isPiece })
    continued = cut.isPiece
    offset = cut.next
  }
  return { lines, consumed: offset }
}

type Cut = { readonly textEnd: number; readonly next: number; readonly isPiece: boolean }

function findCut(bytes: Buffer, start: number, options: CutOptions): Cut | undefined {
  const limit = start + options.maxLineBytes
  const end = bytes.indexOf(LINE_FEED, start)
  if (end >= 0 && end <= limit) {
    const hasReturn = end > start && bytes[end - 1] === CARRIAGE_RETURN
    return { textEnd: hasReturn ? end - 1 : end, next: end + 1, isPiece: false }
  }
  if (bytes.length > limit) {
    const end = characterBoundary(bytes, limit)
    return { textEnd: end, next: end, isPiece: true }
  }
  if (!options.atEnd) return undefined
  return { textEnd: bytes.length, next: bytes.length, isPiece: options.isCapped ?? false }
}

/** The last position at or before `limit` that doesn't split a UTF-8 character. */
function characterBoundary(bytes: Uint8Array, limit: number): number {
  for (let end = limit; end > limit - LEAST_LINE_BYTES; end -= 1) {
    const byte = bytes[end]
    if (byte !== undefined && (byte & 0xc0) !== 0x80) return end
  }
  return limit
}

function decode(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('utf8', start, end).replaceAll('\u0000', '\uFFFD')
}
