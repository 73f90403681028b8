import { describe, expect, it } from 'vitest'
import { hasTerminalEscapes, plainText } from './plain-text.ts'

const E = String.fromCharCode(0x1b)
const BELL = String.fromCharCode(7)

describe('plainText', () => {
  it.each([
    ['a window title', `a${E}]0;evil${BELL}b`, 'ab'],
    ['a clipboard', `a${E}]52;c;ZXZpbA==${E}\\b`, 'ab'],
    ['a link', `${E}]8;;http://evil${E}\\text${E}]8;;${E}\\`, 'text'],
    ['a colour and a cleared screen', `${E}[31mred${E}[0m${E}[2J`, 'red'],
    [
      'one-byte controls',
      `a${String.fromCharCode(0x9b)}31mb${String.fromCharCode(0x9d)}0;x${String.fromCharCode(0x9c)}c`,
      'abc',
    ],
    ['a sequence that is cut off', `a${E}[`, 'a'],
    ['backspaces and nulls', `a${String.fromCharCode(8)}b${String.fromCharCode(0)}c`, 'abc'],
    ['marks that reorder text', `a${String.fromCharCode(0x202e)}b`, 'ab'],
    ['carriage returns', 'a\r\nb\rc', 'a\nb\nc'],
  ])('removes %s', (_, text, plain) => {
    expect(plainText(text)).toBe(plain)
    expect(hasTerminalEscapes(plain)).toBe(false)
  })

  it('keeps lines, tabs, letters of all languages and emoji', () => {
    const text = 'Zeile\n\tüñí می‌خواهم 👨‍👩‍👧 完'
    expect(plainText(text)).toBe(text)
    expect(hasTerminalEscapes(text)).toBe(false)
  })
})
