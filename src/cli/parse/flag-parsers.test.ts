import { expect, it } from 'vitest'
import { inputFlag } from './flag-parsers.ts'

it('collects inputs, and refuses a name that the daemon would ignore', () => {
  expect(inputFlag('n=3', inputFlag('note=a=b'))).toEqual({ note: 'a=b', n: '3' })
  expect(() => inputFlag('__proto__=3')).toThrow('There is no __proto__.')
  expect(() => inputFlag('n')).toThrow('Write it as name=value.')
})
