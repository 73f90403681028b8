import { expect, it } from 'vitest'
import { lastWordsIn } from './last-words.ts'

it('finds the line that explains the failure, and the lines around it', () => {
  expect(lastWordsIn('one\r\n\u001b[31mno key\u001b[0m \n\n')).toEqual({
    line: 'no key',
    text: 'one\nno key',
  })
})

it("ignores Muster's own line about a failed setup", () => {
  const said = 'sh: 1: nosuch: not found\n\nmuster: setup command 1 failed with status 127\n'
  expect(lastWordsIn(said)?.line).toBe('sh: 1: nosuch: not found')
})

it('ignores what setup printed before the program', () => {
  const setup = 'muster: running setup\nadded 3 packages, 1 failed audit\n\nmuster: setup finished\n'
  expect(lastWordsIn(`${setup}no key\n`)).toEqual({ line: 'no key', text: 'no key' })
  expect(lastWordsIn(setup)).toBeUndefined()
})

it('cuts a line that is too long, and returns nothing for empty output', () => {
  expect(lastWordsIn('x'.repeat(1_000))?.line).toBe(`${'x'.repeat(199)}…`)
  expect(lastWordsIn(' \n\n')).toBeUndefined()
})
