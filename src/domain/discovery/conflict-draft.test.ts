import { describe, expect, it } from 'vitest'
import { exampleCycle, exampleJob, exampleTask } from '../../../test/support/example-records.ts'
import type { TaskDraft } from '../task/task.ts'
import { type ConflictFacts, conflictDraft, conflictsFirst } from './conflict-draft.ts'
import { inSequence } from './in-sequence.ts'

const cycle = exampleCycle(exampleJob())
const first = exampleTask(cycle, {
  number: 2,
  description: 'Make mean()\nstrict',
  context: 'It divides.',
  successCriteria: ['it throws'],
  clauses: [2],
  agent: 'ben',
  resultSummary: 'I rewrote it',
})
const FACTS: ConflictFacts = {
  task: first,
  first,
  tip: 'f'.repeat(40),
  paths: ['src/mean.ts'],
  branch: 'muster/x',
  landed: [
    exampleTask(cycle, {
      number: 1,
      description: 'Fix mean()',
      state: { type: 'completed', commit: 'c'.repeat(40) },
      resultSummary: 'It divides\nby the length',
    }),
  ],
  files: [{ path: 'src/mean.ts', text: '<<<<<<<\nours\n=======\ntheirs\n>>>>>>>' }],
}

describe('a task that merges conflicting work', () => {
  it('names the work, its files and its origin, and keeps the purpose of the work', () => {
    expect(conflictDraft(FACTS)).toMatchObject({
      description: 'Merge the work of task t1-2 (Make mean() strict) with work that landed in the meantime',
      files: ['src/mean.ts'],
      priority: 'P0',
      parallel: true,
      dependsOn: [],
      successCriteria: ['it throws'],
      clauses: [2],
      agent: 'ben',
      origin: { type: 'conflict', taskId: first.id, tip: FACTS.tip, paths: ['src/mean.ts'] },
    })
  })

  it('shows both sides', () => {
    const { context } = conflictDraft(FACTS)
    for (const part of [
      `git merge ${FACTS.tip}`,
      'muster/x',
      'It divides.',
      'I rewrote it',
      '- task t1-1 (Fix mean()) as cccccccccc: It divides by the length',
      'src/mean.ts with conflict markers:\n<<<<<<<\nours',
    ]) {
      expect(context).toContain(part)
    }
  })

  it('is named after the original work when it merges a merge', () => {
    const merge = exampleTask({ ...cycle, number: 2 }, { number: 1, description: 'Merge the work of …' })
    expect(conflictDraft({ ...FACTS, task: merge })).toMatchObject({
      description: 'Merge the work of task t2-1 (Make mean() strict) with work that landed in the meantime',
      origin: { taskId: merge.id },
    })
  })

  it('stays bounded, however much there is to show', () => {
    const much = 'x'.repeat(100_000)
    const draft = conflictDraft({
      ...FACTS,
      first: { ...first, description: much, context: much },
      landed: Array(100).fill({ ...first, description: much, resultSummary: much }),
      paths: Array.from({ length: 1_000 }, (_, number) => `file-${number}`),
      files: Array(100).fill({ path: 'a', text: much }),
    })
    expect(draft.context.length).toBeLessThanOrEqual(20_000)
    expect(draft.files.length).toBeLessThanOrEqual(50)
    expect(draft.description.length).toBeLessThan(200)
  })

  it('comes before planned tasks, shifts their numbers, and runs before tasks in the same files', () => {
    const planned = (fields: Partial<TaskDraft>): TaskDraft => ({
      description: 'd',
      context: '',
      files: [],
      parallel: true,
      priority: 'P1',
      successCriteria: [],
      dependsOn: [],
      after: [],
      clauses: [],
      ...fields,
    })
    const drafts = conflictsFirst(
      [conflictDraft(FACTS)],
      [planned({ dependsOn: [2] }), planned({ files: ['src/mean.ts'] })],
    )
    expect(drafts.map(({ origin }) => origin.type)).toEqual(['conflict', 'planned', 'planned'])
    const sequenced = inSequence(drafts)
    expect(sequenced.drafts.map(({ dependsOn }) => dependsOn)).toEqual([[], [3], []])
    expect(sequenced.drafts.map(({ after }) => after)).toEqual([[], [], [1]])
    expect(sequenced.coupled).toEqual([[1, 3]])
  })
})
