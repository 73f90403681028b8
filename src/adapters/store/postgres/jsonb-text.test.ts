import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonbText } from './jsonb-text.ts'

describe('jsonbText', () => {
  it('replaces only NUL and half characters, in keys too', () => {
    expect(jsonbText({ 'a\ud83d': 'b\udc00c', d: '\u0000', e: '😀\n\\ud83d\\u0000' })).toBe(
      JSON.stringify({ 'a\ufffd': 'b\ufffdc', d: '\ufffd', e: '😀\n\\ud83d\\u0000' }),
    )
  })

  it('leaves valid text unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('\u0000'))
        expect(JSON.parse(jsonbText([text]))).toEqual([text])
      }),
    )
  })
})
