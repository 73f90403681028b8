import { describe, expect, it } from 'vitest'
import { isBranchName } from './branch-name.ts'

describe('a branch name', () => {
  it.each(['main', 'feature/x', 'muster/job_1--t1-2', 'größe', 'a.b', 'v1.0'])('may be %s', (name) => {
    expect(isBranchName(name)).toBe(true)
  })

  it.each([
    '',
    '-x',
    '--upload-pack=x',
    'a..b',
    'a b',
    'a\nb',
    'x.lock',
    'x.lock/y',
    '/a',
    'a/',
    'a//b',
    'a/.b',
    'a@{1}',
    'HEAD',
    '@',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[',
    'a\\b',
    'a.',
    '\u0000',
  ])('may not be %j', (name) => {
    expect(isBranchName(name)).toBe(false)
  })
})
