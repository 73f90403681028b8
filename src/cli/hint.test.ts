import { expect, it } from 'vitest'
import { createHint } from './hint.ts'

it('adds the flags that name the daemon to every command in a text', () => {
  const hint = createHint({ home: '/srv/my home', server: 'http://127.0.0.1:7420' })
  expect(hint('muster shutdown, then muster doctor')).toBe(
    "muster --home '/srv/my home' --server http://127.0.0.1:7420 shutdown, then " +
      "muster --home '/srv/my home' --server http://127.0.0.1:7420 doctor",
  )
})

it('changes nothing else, and nothing at all without flags', () => {
  expect(createHint({ home: '/srv/m' })('see muster.yaml, or muster itself')).toBe(
    'see muster.yaml, or muster itself',
  )
  expect(createHint({})('muster status')).toBe('muster status')
})

it('quotes the values of flags', () => {
  expect(createHint({ home: "it's $& $(x)" })('muster status')).toBe(
    "muster --home 'it'\\''s $& $(x)' status",
  )
})
