import { expect, it } from 'vitest'
import { COMMAND_GROUPS } from './command-help.ts'
import { suggestCommand } from './suggest-command.ts'

const COMMANDS = Object.values(COMMAND_GROUPS).flat()

it.each([
  ['stauts', 'muster status'],
  ['log', 'muster logs'],
  ['rn', 'muster run'],
  ['approvls', 'muster approvals'],
  ['sess', 'muster session'],
  ['ls', 'muster list jobs'],
  ['ps', 'muster status'],
  ['abort', 'muster cancel'],
  ['start', 'muster run'],
  ['quit', 'muster shutdown'],
  ['version', 'muster --version'],
])('suggests for %s: %s', (typed, expected) => {
  expect(suggestCommand([typed], typed, COMMANDS)).toBe(expected)
})

it.each(['xyz', 'q', 'frobnicate'])('suggests nothing for %s', (typed) => {
  expect(suggestCommand([typed], typed, COMMANDS)).toBeUndefined()
})

it('keeps the other words, so that the suggestion can be run', () => {
  expect(suggestCommand(['lst', 'jobs'], 'lst', COMMANDS)).toBe('muster list jobs')
  expect(suggestCommand(['rum', 'fix it', '-d'], 'rum', COMMANDS)).toBe("muster run 'fix it' -d")
  expect(suggestCommand(['session', 'strat', 'why?'], 'strat', ['start'])).toBe("muster session start 'why?'")
  expect(suggestCommand(['help', 'stauts'], 'stauts', COMMANDS)).toBe('muster status')
})
