import { describe, expect, it } from 'vitest'
import { formatId } from '../domain/id.ts'
import { sessionOfToken, tokenOfSession } from './token.ts'

const SECRET = 'a'.repeat(64)
const one = formatId('session', 1, new Uint8Array(11))
const other = formatId('session', 2, new Uint8Array(11))

describe("an agent's token", () => {
  it('is the same after a restart and names its session', () => {
    const token = tokenOfSession(SECRET, one)
    expect(tokenOfSession(SECRET, one)).toBe(token)
    expect(sessionOfToken(SECRET, token)).toBe(one)
  })

  it('of one session does not work for another, nor does the secret itself', () => {
    const [, seal] = tokenOfSession(SECRET, one).split('.')
    const forged = [
      `${other}.${seal}`,
      SECRET,
      `${one}.${SECRET}`,
      `${one}.`,
      one,
      '',
      '.',
      `.${seal}`,
      `x.${seal}`,
    ]
    expect(forged.map((text) => sessionOfToken(SECRET, text))).toEqual(forged.map(() => undefined))
  })

  it('does not work for a daemon with another secret', () => {
    expect(sessionOfToken('b'.repeat(64), tokenOfSession(SECRET, one))).toBeUndefined()
  })
})
