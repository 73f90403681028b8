import fc from 'fast-check'
import { expect, it } from 'vitest'
import { byteLength } from './byte-length.ts'

it('counts the bytes of a text in UTF-8', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(byteLength(text)).toBe(new TextEncoder().encode(text).length)
    }),
  )
})
