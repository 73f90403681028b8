import { matchesGlob } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { doPathsMeet, normalisedPath } from './path-pattern.ts'

function meet(one: string, other: string): boolean {
  const [first, second] = [normalisedPath(one), normalisedPath(other)]
  expect(doPathsMeet(second, first)).toBe(doPathsMeet(first, second))
  return doPathsMeet(first, second)
}

describe('two paths', () => {
  it.each([
    ['src/a.ts', './src//a.ts'],
    ['src/a.ts', 'src\\a.ts:12'],
    ['src/', 'src/deep/a.ts'],
    ['src/*.ts', 'src/a.ts'],
    ['src/**/*.ts', 'src/deep/er/a.ts'],
    ['src/**/*.ts', 'src/a.ts'],
    ['src/a?.ts', 'src/a1.ts'],
    ['src/a*.ts', 'src/*b.ts'],
    ['src/**', 'src/a.ts'],
    ['**/*.test.ts', 'src/deep'],
    ['docs/../src/a.ts', 'src/a.ts'],
  ])('overlap if they may name the same file: %s and %s', (one, other) => {
    expect(meet(one, other)).toBe(true)
  })

  it.each([
    ['src/a.ts', 'src/b.ts'],
    ['src/a.ts', 'src/a.tsx'],
    ['src', 'source/a.ts'],
    ['src/*.ts', 'src/deep/a.ts'],
    ['src/*.ts', 'src/*.css'],
    ['src/**/*.css', 'src/deep/a.ts'],
    ['src/**', 'test/a.ts'],
    ['**/*.css', 'src/a.ts'],
  ])('do not overlap if they name different files: %s and %s', (one, other) => {
    expect(meet(one, other)).toBe(false)
  })

  it('overlap when one is a pattern that matches the other', () => {
    const part = fc.stringMatching(/^[ab]{1,3}$/)
    const wild = fc.stringMatching(/^[ab*?]{1,4}$/).filter((text) => !text.includes('**'))
    const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => [...parts, 'f.ts'].join('/'))
    const pattern = fc
      .array(fc.oneof(part, wild, fc.constant('**')), { minLength: 1, maxLength: 4 })
      .map((parts) => [...parts, '*.ts'].join('/'))
    fc.assert(
      fc.property(path, pattern, (one, other) => {
        expect(doPathsMeet(one, other)).toBe(matchesGlob(one, other))
      }),
      { numRuns: 2_000 },
    )
  })

  it('are compared quickly, however they are written', () => {
    const startedAt = performance.now()
    const long = Array.from({ length: 30 }, () => '*a*a*a*a*a*a*a*b').join('/**/')
    for (let count = 0; count < 20; count += 1) doPathsMeet(long, long.replaceAll('b', 'c'))
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })
})
