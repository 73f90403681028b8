import { expect, it } from 'vitest'
import { filesBeyond } from './files-beyond.ts'

it('lists the files that the issues do not mention', () => {
  const issues = [
    { location: 'src/a.ts:3', issue: 'It leaks.' },
    { issue: 'data.json is stale', suggestion: 'see docs' },
  ]
  expect(filesBeyond(issues, ['src/a.ts', 'lib/data.json', 'src/b.ts', 'ta.ts'])).toEqual([
    'src/b.ts',
    'ta.ts',
  ])
  expect(filesBeyond(undefined, ['x'])).toEqual(['x'])
})
