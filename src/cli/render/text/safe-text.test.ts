import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { safeJson, safeLine, safeText } from './safe-text.ts'

const at = String.fromCodePoint

describe('safeText', () => {
  it('removes colours and cursor movements and keeps the text', () => {
    expect(safeText(`${at(27)}[31mred${at(27)}[0m and ${at(27)}[2Jcleared`)).toBe('red and cleared')
  })

  it('removes titles, clipboard writes and links with any terminator', () => {
    expect(safeText(`a${at(27)}]0;title${at(7)}b`)).toBe('ab')
    expect(safeText(`a${at(27)}]52;c;ZXZpbA==${at(27)}\\b`)).toBe('ab')
    expect(safeText(`a${at(0x9d)}0;title${at(0x9c)}b`)).toBe('ab')
  })

  it('does not let an unfinished escape swallow the following lines', () => {
    expect(safeText(`a${at(27)}]0;open\nnext line`)).toBe('a\nnext line')
  })

  it('removes bidirectional overrides, zero-width marks and C1 controls', () => {
    const hidden = [0x202e, 0x2066, 0x200b, 0x200f, 0x85, 0x84, 0xfeff, 0x2028, 0xe0041].map((code) =>
      at(code),
    )
    expect(safeText(`x${hidden.join('y')}z`)).toBe(`x${'y'.repeat(hidden.length - 1)}z`)
  })

  it('keeps line feeds, tabs and all scripts', () => {
    expect(safeText('eins\n\tzwei 三 שלום 🎉')).toBe('eins\n\tzwei 三 שלום 🎉')
  })

  it('removes everything that a terminal would act on, from any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(safeText(text)).not.toMatch(/(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}]/u)
      }),
    )
  })
})

describe('safeLine', () => {
  it('joins lines and cuts at the limit without splitting a character', () => {
    expect(safeLine('one\n  two\r\nthree')).toBe('one two three')
    expect(safeLine('abcdef', 4)).toBe('abc…')
    expect(safeLine('ab🎉cd', 4)).toBe('ab…')
  })

  it('cuts between words if that costs little', () => {
    expect(safeLine('fix the missing zero', 14)).toBe('fix the…')
    expect(safeLine('fix the missing zero', 16)).toBe('fix the missing…')
    expect(safeLine('src/a-very-long-path.ts and more', 12)).toBe('src/a-very-…')
  })
})

describe('safeJson', () => {
  it('has the same meaning for a program, but no raw control characters', () => {
    const value = { text: `${at(27)}[31m${at(0x9b)}${at(0x202e)}${at(0xe0041)}` }
    expect(JSON.parse(safeJson(value))).toEqual(value)
    expect(safeJson(value)).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })
})
