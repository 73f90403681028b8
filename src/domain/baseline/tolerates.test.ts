import { describe, expect, it } from 'vitest'
import { tolerates } from './tolerates.ts'

const baseline = {
  results: [
    { command: 'npm test', failure: 'exited', detail: 'exited with code 1' },
    { command: 'npm ci', failure: 'setup', detail: 'failed' },
    { command: 'npm run lint', detail: 'passed' },
  ],
} as const

describe('tolerates', () => {
  it.each([
    ['a command that failed on the base in the same way', 'npm test', 'exited', true],
    ['a command that failed on the base in another way', 'npm test', 'timed-out', false],
    ['a command that passed on the base', 'npm run lint', 'exited', false],
    ['a setup, even if it failed on the base', 'npm ci', 'setup', false],
    ['a check that ended without a result', 'npm test', undefined, false],
  ] as const)('decides about %s', (_, command, kind, expected) => {
    expect(tolerates(baseline, { command, kind }, [])).toBe(expected)
  })

  it('holds a command that has passed on the working branch to passing', () => {
    const landed = [{ command: 'npm test', passed: true, detail: 'passed', tree: 'a' }]
    expect(tolerates(baseline, { command: 'npm test', kind: 'exited' }, landed)).toBe(false)
  })
})
