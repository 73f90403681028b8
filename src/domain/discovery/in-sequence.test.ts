import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TaskDraft } from '../task/task.ts'
import { dependsTransitively } from './dependency-graph.ts'
import { inSequence } from './in-sequence.ts'

function draft(fields: Partial<TaskDraft>): TaskDraft {
  return {
    description: 'work',
    context: '',
    files: [],
    parallel: true,
    priority: 'P1',
    successCriteria: [],
    dependsOn: [],
    after: [],
    clauses: [],
    ...fields,
  }
}

function orderOf(...drafts: readonly Partial<TaskDraft>[]) {
  const sequenced = inSequence(drafts.map(draft))
  return { coupled: sequenced.coupled, after: sequenced.drafts.map((each) => each.after) }
}

describe('drafts in the same files', () => {
  it('wait in a chain, each for the nearest before it', () => {
    const files = ['a.ts']
    expect(orderOf({ files }, { files }, { files: ['b.ts'] }, { files })).toEqual({
      coupled: [
        [1, 2],
        [2, 4],
      ],
      after: [[], [1], [], [2]],
    })
  })

  it('wait for what is more urgent, whatever its number', () => {
    const files = ['a.ts']
    expect(orderOf({ files, priority: 'P2' }, { files, priority: 'P0' }, { files }).after).toEqual([
      [3],
      [],
      [2],
    ])
  })

  it('stay as they are when they are ordered already, directly or through others', () => {
    const files = ['a.ts']
    expect(orderOf({ files, dependsOn: [2] }, { dependsOn: [3] }, { files })).toEqual({
      coupled: [],
      after: [[], [], []],
    })
  })

  it('stay as they are when one of them never runs beside others', () => {
    expect(orderOf({ files: ['a'] }, { files: ['a'], parallel: false }).coupled).toEqual([])
  })

  it('never wait in a circle, keep what they depended on, and no two of a pair run at once', () => {
    const some = fc
      .array(
        fc.record({
          files: fc.subarray(['a', 'b', 'c/d', 'c']),
          parallel: fc.boolean(),
          priority: fc.constantFrom('P0', 'P1', 'P2'),
          dependsOn: fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { maxLength: 2 }),
        }),
        { maxLength: 9 },
      )
      .map((items) =>
        items.map((item, index) =>
          draft({ ...item, dependsOn: item.dependsOn.filter((other) => other <= index) }),
        ),
      )
    fc.assert(
      fc.property(some, (drafts) => {
        const sequenced = inSequence(drafts)
        const graph = new Map(
          sequenced.drafts.map((each, index) => [index + 1, [...each.dependsOn, ...(each.after ?? [])]]),
        )
        for (const number of graph.keys()) {
          expect(dependsTransitively(graph, number, number)).toBe(false)
          expect(sequenced.drafts[number - 1]?.dependsOn).toEqual(drafts[number - 1]?.dependsOn)
          expect(sequenced.drafts[number - 1]?.after?.length).toBeLessThanOrEqual(1)
        }
        for (const [earlier, later] of sequenced.coupled) expect(graph.get(later)).toContain(earlier)
        expect(inSequence(sequenced.drafts).drafts).toHaveLength(drafts.length)
      }),
      { numRuns: 500 },
    )
  })
})
