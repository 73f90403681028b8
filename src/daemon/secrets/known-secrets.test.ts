import { expect, it } from 'vitest'
import { KnownSecrets } from './known-secrets.ts'

const tokenOf = (number: number) => `token-of-session-${String(number).padStart(4, '0')}`

it('redacts a secret from the moment it is learned', () => {
  const secrets = new KnownSecrets()
  secrets.learn('LONG_KEY', 'a-long-secret-of-many-characters-0123456789')
  expect(secrets.redact('the pass is pass-w0rd')).toBe('the pass is pass-w0rd')
  secrets.learn('SHORT_KEY', 'pass-w0rd')
  expect(secrets.redact('the pass is pass-w0rd')).toBe('the pass is [redacted:SHORT_KEY]')
  expect(secrets.redact('a-long-secret-of-many-characters-0123456789')).toBe('[redacted:LONG_KEY]')
})

it('forgets the oldest tokens, but never another secret', () => {
  const secrets = new KnownSecrets()
  secrets.learn('KEY', 'kept-for-ever-1')
  for (let number = 0; number < 600; number += 1) secrets.learnToken(tokenOf(number))
  expect(secrets.redact(tokenOf(0))).toBe(tokenOf(0))
  for (let number = 600 - 128; number < 600; number += 1)
    expect(secrets.redact(tokenOf(number))).toBe('[redacted:MUSTER_TOKEN]')
  expect(secrets.redact('kept-for-ever-1')).toBe('[redacted:KEY]')
})
