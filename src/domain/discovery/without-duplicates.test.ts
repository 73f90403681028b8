import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TaskDraft } from '../task/task.ts'
import { dependsTransitively } from './dependency-graph.ts'
import { normalisedDescription } from './task-likeness.ts'
import { type DistinctDrafts, type KnownTask, withoutDuplicates } from './without-duplicates.ts'

function draft(description: string, dependsOn: readonly number[] = []): TaskDraft {
  return {
    description,
    context: '',
    files: [],
    parallel: true,
    priority: 'P1',
    successCriteria: [],
    dependsOn,
    clauses: [],
  }
}

function known(description: string): KnownTask {
  return { description, files: [], name: 'task t1-1' }
}

function shapeOf({ drafts }: DistinctDrafts): readonly (readonly [string, readonly number[]])[] {
  return drafts.map((each) => [each.description, each.dependsOn] as const)
}

const words = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'A.', ' b ')
/** Drafts as they come from a valid answer: numbers in range, no cycles. */
const someDrafts = fc
  .array(fc.record({ description: words, dependsOn: fc.uniqueArray(fc.nat({ max: 7 }), { maxLength: 3 }) }), {
    maxLength: 8,
  })
  .chain((items) =>
    fc.shuffledSubarray([...items.keys()], { minLength: items.length }).map((order) => ({ items, order })),
  )
  .map(({ items, order }) =>
    items.map((item, index) => {
      const earlier = item.dependsOn.filter((other) => other < items.length && isBefore(order, other, index))
      return draft(
        item.description,
        earlier.map((other) => other + 1),
      )
    }),
  )

function isBefore(order: readonly number[], one: number, other: number): boolean {
  return (order[one] ?? 0) < (order[other] ?? 0)
}

describe('drafts without duplicates', () => {
  it('omit what the job already knows, and renumber dependencies', () => {
    const drafts = [draft('Old work'), draft('New work', [1]), draft('More work', [1, 2])]
    expect(shapeOf(withoutDuplicates(drafts, [known('  old   WORK.')]))).toEqual([
      ['New work', []],
      ['More work', [1]],
    ])
  })

  it('fold a repeated draft into its first occurrence', () => {
    const drafts = [draft('Write it'), draft('write it!'), draft('Test it', [2])]
    expect(shapeOf(withoutDuplicates(drafts, []))).toEqual([
      ['Write it', []],
      ['Test it', [1]],
    ])
  })

  it('are returned with the repeats, each naming the work it repeats', () => {
    const drafts = [
      draft('Write unit tests for the YAML parser'),
      draft('Old work'),
      draft('For the parser of YAML write unit tests', [2]),
      draft('New work', [3]),
    ]
    const distinct = withoutDuplicates(drafts, [known('old work')])
    expect(shapeOf(distinct)).toEqual([
      ['Write unit tests for the YAML parser', []],
      ['New work', [1]],
    ])
    expect(distinct.repeats).toEqual([
      { number: 2, description: 'Old work', of: 'task t1-1' },
      { number: 3, description: 'For the parser of YAML write unit tests', of: 'task 1 of the same answer' },
    ])
  })

  it('drop a dependency that folding would make circular', () => {
    const drafts = [draft('a', [2]), draft('b', [3]), draft('A')]
    expect(shapeOf(withoutDuplicates(drafts, []))).toEqual([
      ['a', [2]],
      ['b', []],
    ])
  })

  it('are new, distinct, in order, and free of dependency cycles', () => {
    fc.assert(
      fc.property(someDrafts, fc.array(words), (drafts, knownTexts) => {
        const { drafts: kept, repeats } = withoutDuplicates(drafts, knownTexts.map(known))
        expect(kept.length + repeats.length).toBe(drafts.length)
        const keys = kept.map((each) => normalisedDescription(each.description))
        const knownKeys = new Set(knownTexts.map(normalisedDescription))
        const wanted = drafts.map((each) => normalisedDescription(each.description))
        expect(keys).toEqual([...new Set(wanted)].filter((key) => !knownKeys.has(key)))
        const graph = new Map(kept.map((each, index) => [index + 1, each.dependsOn]))
        for (const [number, dependsOn] of graph) {
          expect(dependsOn.every((other) => other >= 1 && other <= kept.length)).toBe(true)
          expect(dependsTransitively(graph, number, number)).toBe(false)
        }
        expect(withoutDuplicates(kept, []).drafts).toEqual(kept)
      }),
      { numRuns: 1_000 },
    )
  })

  it('keep every dependency among distinct drafts', () => {
    const distinct = someDrafts.map((drafts) =>
      drafts.map((each, index) => ({ ...each, description: `task ${index}` })),
    )
    fc.assert(
      fc.property(distinct, (drafts) => {
        expect(withoutDuplicates(drafts, [])).toEqual({ drafts, repeats: [] })
      }),
    )
  })
})

describe('a normalised description', () => {
  it('ignores case, white space and punctuation around words', () => {
    expect(normalisedDescription('  Add "tests" –\n for `parse()`, now! ')).toBe('add tests for parse now')
  })

  it('differs for different requests', () => {
    const pairs = [
      ['port it to C', 'port it to C#'],
      ['set it to 1', 'set it to -1'],
      ['x < 5', 'x > 5'],
      ['fix a.ts', 'fix a.js'],
      ['???', '!!!'],
    ]
    for (const [one = '', other = ''] of pairs) {
      expect(normalisedDescription(one)).not.toBe(normalisedDescription(other))
    }
  })
})
