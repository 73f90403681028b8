import { expect, it } from 'vitest'
import { createHint } from './hint.ts'

it('puts the flags that name the daemon into every command of a text', () => {
  const hint = createHint({ home: '/srv/my home', server: 'http://127.0.0.1:7420' })
  expect(hint('muster shutdown, then muster doctor')).toBe(
    "muster --home '/srv/my home' --server http://127.0.0.1:7420 shutdown, then " +
      "muster --home '/srv/my home' --server http://127.0.0.1:7420 doctor",
  )
})

it('leaves other words, and everything when no flag was given, as they are', () => {
  expect(createHint({ home: '/srv/m' })('see muster.yaml, or muster itself')).toBe(
    'see muster.yaml, or muster itself',
  )
  expect(createHint({})('muster status')).toBe('muster status')
})

it('lets no value of a flag out of its word', () => {
  expect(createHint({ home: "it's $& $(x)" })('muster status')).toBe(
    "muster --home 'it'\\''s $& $(x)' status",
  )
})
