import { expect, it } from 'vitest'
import { findOutdated, isOlder, versionIn } from './program-version.ts'

it.each([
  ['0.66.0', true],
  ['0.66.9-alpha.1', true],
  ['0.67.0', false],
  ['0.67', false],
  ['0.166.0', false],
  ['1.0', false],
])('compares versions by their numbers: %s', (version, expected) => {
  expect(isOlder(version, '0.67.0')).toBe(expected)
})

it('names the oldest version that works, and the command that installs the newest', () => {
  const program = { title: 'Codex', install: 'npm install -g codex', oldest: '0.67.0' }
  expect(findOutdated(program, versionIn('codex-cli 0.42.1') ?? '')).toEqual({
    cause: 'version',
    reason: 'Codex 0.42.1 is too old; Muster needs 0.67.0 or newer',
    remedy: 'Run `npm install -g codex@latest`',
  })
  expect(findOutdated(program, '0.67.0')).toBeUndefined()
})
