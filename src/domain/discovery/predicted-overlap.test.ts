import { describe, expect, it } from 'vitest'
import { predictedOverlap } from './predicted-overlap.ts'

function overlapOf(...files: readonly (readonly string[])[]) {
  return predictedOverlap(files.map((paths) => ({ files: paths })))
}

describe('drafts likely to touch the same files', () => {
  it('are those that name the same path, a directory above it or a pattern for it', () => {
    expect(overlapOf(['src/a.ts'], ['b.ts'], ['./src/a.ts'], ['src'], ['*.ts'])).toEqual([
      [1, 3],
      [1, 4],
      [2, 5],
      [3, 4],
    ])
  })

  it('are not those that name no files, or all of them', () => {
    expect(overlapOf([], ['a.ts'], ['.'], ['**'], [''])).toEqual([])
  })

  it('are not those that share only a file which more than half of many drafts name', () => {
    const common = ['package.json']
    expect(overlapOf(common, common, common, common, ['a'], ['a'])).toEqual([[5, 6]])
    expect(overlapOf(common, common, common, ['c'], ['a'], ['b'])).toEqual([
      [1, 2],
      [1, 3],
      [2, 3],
    ])
    expect(overlapOf(common, common, common, common, ['a'])).toHaveLength(6)
  })
})
