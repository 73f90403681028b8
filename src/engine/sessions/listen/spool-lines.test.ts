import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutLines, type SpoolLine } from './spool-lines.ts'

const LINE_FEED = 0x0a

describe('cutLines', () => {
  it('gives complete lines and leaves the rest for later', () => {
    expect(cutLines(bytesOf('one\ntwo\r\n\nthr'), { maxLineBytes: 100, atEnd: false })).toEqual({
      lines: [whole('one'), whole('two'), whole('')],
      consumed: 10,
    })
  })

  it('takes what has no line end as a line when nothing can follow', () => {
    expect(cutLines(bytesOf('one\ntwo'), { maxLineBytes: 100, atEnd: true })).toEqual({
      lines: [whole('one'), whole('two')],
      consumed: 7,
    })
    expect(cutLines(bytesOf('one\n'), { maxLineBytes: 100, atEnd: true }).lines).toEqual([whole('one')])
  })

  it('gives a line of exactly the limit whole', () => {
    expect(cutLines(bytesOf('12345678\n'), { maxLineBytes: 8, atEnd: false }).lines).toEqual([
      whole('12345678'),
    ])
    expect(cutLines(bytesOf('12345678'), { maxLineBytes: 8, atEnd: false }).consumed).toBe(0)
  })

  it('gives a longer line in marked pieces, the last one too', () => {
    expect(cutLines(bytesOf('123456789abcdefghij\nnext\n'), { maxLineBytes: 8, atEnd: false }).lines).toEqual(
      [piece('12345678'), piece('9abcdefg'), piece('hij'), whole('next')],
    )
  })

  it('marks the rest of a line whose beginning was given before', () => {
    const lines = cutLines(bytesOf('hij\nnext\n'), { maxLineBytes: 8, atEnd: false, continued: true }).lines
    expect(lines).toEqual([piece('hij'), whole('next')])
  })

  it('passes over empty lines where they mean nothing, and they count for nothing', () => {
    const options = { maxLineBytes: 8, atEnd: false, skipsEmpty: true, maxLines: 2 }
    expect(cutLines(bytesOf('\n\none\n\ntwo\n\nthree\n'), options)).toEqual({
      lines: [whole('one'), whole('two')],
      consumed: 11,
    })
    const rest = cutLines(bytesOf('\n\nnext\n'), { ...options, continued: true })
    expect(rest.lines).toEqual([whole('next')])
  })

  it('never cuts a piece inside a character', () => {
    const { lines } = cutLines(bytesOf('aaa😀😀bé\n'), { maxLineBytes: 6, atEnd: false })
    expect(lines).toEqual([piece('aaa'), piece('😀'), piece('😀b'), piece('é')])
    expect(lines.map((line) => line.text).join('')).toBe('aaa😀😀bé')
  })

  it('gives text that a database can hold, whatever the bytes are', () => {
    const bytes = Uint8Array.from([0x61, 0x00, 0xff, 0xc3, LINE_FEED, 0xed, 0xa0, 0x80, LINE_FEED])
    const texts = cutLines(bytes, { maxLineBytes: 100, atEnd: false }).lines.map((line) => line.text)
    expect(texts).toEqual(['a\uFFFD\uFFFD\uFFFD', '\uFFFD\uFFFD\uFFFD'])
  })

  it('gives the same lines however the bytes were read, and each byte once', () => {
    fc.assert(
      fc.property(spool(), fc.integer({ min: 4, max: 12 }), reads(), (bytes, maxLineBytes, sizes) => {
        const atOnce = cutLines(bytes, { maxLineBytes, atEnd: true })
        expect(atOnce.consumed).toBe(bytes.length)
        expect(readInChunks(bytes, maxLineBytes, sizes)).toEqual(atOnce.lines)
      }),
      { numRuns: 2_000 },
    )
  })

  it('agrees with a plain split where no line is too long', () => {
    fc.assert(
      fc.property(spool(), (bytes) => {
        const { lines } = cutLines(bytes, { maxLineBytes: bytes.length + 4, atEnd: true })
        expect(lines).toEqual(splitPlainly(bytes).map(whole))
      }),
      { numRuns: 1_000 },
    )
  })

  it('gets ahead whenever it is given more than a line may have', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 9, maxLength: 30 }), (bytes) => {
        expect(cutLines(bytes, { maxLineBytes: 8, atEnd: false }).consumed).toBeGreaterThan(0)
      }),
    )
  })
})

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function whole(text: string): SpoolLine {
  return { text, truncated: false }
}

function piece(text: string): SpoolLine {
  return { text, truncated: true }
}

/** Output with many line ends, returns and pieces of characters in it. */
function spool(): fc.Arbitrary<Uint8Array> {
  const byte = fc.oneof(fc.constantFrom(LINE_FEED, 0x0d, 0x00, 0xf0, 0x9f, 0x98, 0x80), fc.nat(255))
  return fc.array(byte, { maxLength: 80 }).map((bytes) => Uint8Array.from(bytes))
}

function reads(): fc.Arbitrary<readonly number[]> {
  return fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 })
}

/** As a tailer does: from the last offset, a window that grows until it holds a line, then the end. */
function readInChunks(bytes: Uint8Array, maxLineBytes: number, sizes: readonly number[]): SpoolLine[] {
  const lines: SpoolLine[] = []
  let offset = 0
  let available = 0
  for (let turn = 0; offset < bytes.length; turn += 1) {
    available = Math.min(bytes.length, available + (sizes[turn % sizes.length] ?? 1))
    const cut = cutLines(bytes.subarray(offset, available), {
      maxLineBytes,
      atEnd: available === bytes.length,
      continued: offset > 0 && bytes[offset - 1] !== LINE_FEED,
    })
    lines.push(...cut.lines)
    offset += cut.consumed
  }
  return lines
}

function splitPlainly(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString('latin1')
  const parts = text.split('\n')
  const last = parts.pop() ?? ''
  const complete = parts.map((part) => (part.endsWith('\r') ? part.slice(0, -1) : part))
  return [...complete, ...(last === '' ? [] : [last])].map((part) =>
    new TextDecoder('utf-8', { ignoreBOM: true })
      .decode(Buffer.from(part, 'latin1'))
      .replaceAll('\0', '\uFFFD'),
  )
}
