import { expect, it } from 'vitest'
import { lastWordsIn } from './last-words.ts'

it('are the last line that says something, with those before it', () => {
  expect(lastWordsIn('one\r\n\u001b[31mno key\u001b[0m \n\n')).toEqual({
    line: 'no key',
    text: 'one\nno key',
  })
})

it('are not what Muster says about a failed setup', () => {
  const said = 'sh: 1: nosuch: not found\n\nmuster: setup command 1 failed with status 127\n'
  expect(lastWordsIn(said)?.line).toBe('sh: 1: nosuch: not found')
})

it('are cut when the line is too long, and absent where nothing was said', () => {
  expect(lastWordsIn('x'.repeat(1_000))?.line).toBe(`${'x'.repeat(199)}…`)
  expect(lastWordsIn(' \n\n')).toBeUndefined()
})
