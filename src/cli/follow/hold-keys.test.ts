import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { holdKeys } from './hold-keys.ts'

it('passes single keys on, ignores pasted text, and always ends raw mode', () => {
  const modes: boolean[] = []
  const stdin = Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean) => modes.push(isRaw) })
  const keys: string[] = []
  {
    using _ = holdKeys(stdin, (key) => keys.push(key))
    for (const text of ['a', 'aaaa', '\u001b[A', '\u0003']) stdin.emit('data', Buffer.from(text))
  }
  stdin.emit('data', Buffer.from('d'))
  expect(keys).toEqual(['a', '\u0003'])
  expect(modes).toEqual([true, false])
})
