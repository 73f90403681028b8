import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isBranchName } from './branch-name.ts'

function gitAccepts(name: string): boolean {
  return spawnSync('git', ['check-ref-format', '--branch', name], { cwd: '/' }).status === 0
}

describe('isBranchName', () => {
  it.each(['main', 'muster/tsk_1', 'é/ü', 'a.b', 'a@b', 'refs/heads/x', 'a-'])('accepts %j', (name) => {
    expect(isBranchName(name)).toBe(true)
  })

  it.each([
    '',
    '@',
    'HEAD',
    '-x',
    '--upload-pack=touch',
    'a..b',
    'a b',
    'a\nb',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[',
    'a\\b',
    'a@{1}',
    '/a',
    'a/',
    'a//b',
    'a.',
    '.a',
    'a/.b',
    'a.lock',
    'a.lock/b',
    '\ud800',
    'x'.repeat(300),
  ])('refuses %j', (name) => {
    expect(isBranchName(name)).toBe(false)
  })

  it('agrees with git on any short text', () => {
    const piece = fc.constantFrom(
      'a',
      '.',
      '/',
      '-',
      '@',
      '{',
      '.lock',
      '~',
      ' ',
      '\\',
      'é',
      ':',
      '..',
      '\t',
      '*',
    )
    const names = fc
      .array(piece, { minLength: 1, maxLength: 5 })
      .map((pieces) => pieces.join(''))
      .filter((name) => name !== '@')
    fc.assert(
      fc.property(names, (name) => {
        expect(isBranchName(name)).toBe(gitAccepts(name))
      }),
      { numRuns: 300 },
    )
  })
})
