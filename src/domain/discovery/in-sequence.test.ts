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
  it('form a chain, each waiting for the nearest before it', () => {
    const files = ['a.ts']
    expect(orderOf({ files }, { files }, { files: ['b.ts'] }, { files })).toEqual({
      coupled: [
        [1, 2],
        [2, 4],
      ],
      after: [[], [1], [], [2]],
    })
  })

  it('wait for the more urgent one, whatever its number', () => {
    const files = ['a.ts']
    expect(orderOf({ files, priority: 'P2' }, { files, priority: 'P0' }, { files }).after).toEqual([
      [3],
      [],
      [2],
    ])
  })

  it('stay unchanged if they are already ordered, directly or through others', () => {
    const files = ['a.ts']
    expect(orderOf({ files, dependsOn: [2] }, { dependsOn: [3] }, { files })).toEqual({
      coupled: [],
      after: [[], [], []],
    })
  })

  it('stay unchanged if one of them always runs alone', () => {
    expect(orderOf({ files: ['a'] }, { files: ['a'], parallel: false }).coupled).toEqual([])
  })

  it('never form a cycle, keep their dependencies, and never run two of a pair at once', () => {
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
