import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SecretSet } from './redact.ts'
import { secretOf } from './secret.ts'

const KEY = 'sk-ant-api03-7hGkL29qZ'
const { redactPiece } = new SecretSet([secretOf('KEY', KEY)])

it('replaces a part of a secret at an edge where the text was cut', () => {
  expect(redactPiece(`key ${KEY.slice(0, -1)}`, { start: false, end: true })).toBe('key [redacted:KEY]')
  expect(redactPiece(`${KEY.slice(1)} was the key`, { start: true, end: false })).toBe(
    '[redacted:KEY] was the key',
  )
  expect(redactPiece(KEY.slice(3, -3), { start: true, end: true })).toBe(KEY.slice(3, -3))
})

it('keeps a part of a secret where the text was not cut, and short parts', () => {
  expect(redactPiece('key sk-ant', { start: true, end: false })).toBe('key sk-ant')
  expect(redactPiece('sk-', { start: true, end: true })).toBe('sk-')
})

it('leaves at most three characters of a secret on each side of a cut, whatever the secret is', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Z0-9]{7,60}7$/), fc.nat(), (secret, at) => {
      const set = new SecretSet([secretOf('key', secret)])
      const cut = at % (secret.length + 1)
      const [before, after] = [`.${secret.slice(0, cut)}`, `${secret.slice(cut)}.`]
      const left = set.redactPiece(before, { start: false, end: true }).replace('[redacted:key]', '')
      const right = set.redactPiece(after, { start: true, end: false }).replace('[redacted:key]', '')
      expect(Math.max(left.length, right.length)).toBeLessThanOrEqual(4)
    }),
  )
})
