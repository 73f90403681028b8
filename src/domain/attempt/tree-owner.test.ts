import { describe, expect, it } from 'vitest'
import { exampleAttempt, exampleJob } from '../../../test/support/example-records.ts'
import type { Attempt } from './attempt.ts'
import { lastInTree } from './tree-owner.ts'

const job = exampleJob()
const first = exampleAttempt(job, { tip: 'a'.repeat(40) })

/** An attempt that continues the conversation of an earlier one, in the tree of the first. */
function continuing({ sessionId }: Attempt, changes: Partial<Attempt> = {}): Attempt {
  return exampleAttempt(job, { tip: 'b'.repeat(40), continues: { sessionId, tree: first.id }, ...changes })
}

describe('the last attempt in a tree', () => {
  it('is the one that works there, in whatever order the attempts are listed', () => {
    const second = continuing(first, { state: { type: 'running' } })
    expect(lastInTree([first, second])).toBe(second)
    expect(lastInTree([second, first])).toBe(second)
  })

  it('is the one whose conversation nobody continued, once all have ended', () => {
    const second = continuing(first)
    const third = continuing(second)
    expect(lastInTree([third, first, second])).toBe(third)
    expect(lastInTree([first])).toBe(first)
  })

  it('is the one whose work is not pinned, if two continued one conversation', () => {
    const { tip: _, ...unpinned } = continuing(first)
    expect(lastInTree([first, unpinned, continuing(first)])).toBe(unpinned)
  })
})
