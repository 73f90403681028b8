import { describe, expect, it } from 'vitest'
import { exampleAttempt, exampleJob, ids } from '../../../test/support/example-records.ts'
import type { RunId } from '../id.ts'
import type { Attempt } from './attempt.ts'
import { predecessorOf } from './predecessor-of.ts'

const job = exampleJob()
const taskId = ids.next('task')
const runId = ids.next('run')

const attempt = (type: 'task' | 'review', number: number, role?: string): Attempt =>
  exampleAttempt(job, { purpose: { type, taskId }, number, ...(role === undefined ? {} : { role }) })

const visit = (visitId = ids.next('visit'), more: Partial<Attempt> = {}, run: RunId = runId): Attempt =>
  exampleAttempt(job, {
    purpose: { type: 'visit', taskId, runId: run, visitId, makesWork: true, judges: false },
    ...more,
  })

describe('the predecessor of an attempt', () => {
  it('is the attempt before it with the same purpose, whatever the roles are called', () => {
    const work = [attempt('task', 1, 'maker'), attempt('task', 2, 'maker')]
    const reviews = [attempt('review', 1, 'maker'), attempt('review', 2, 'maker')]
    const all = [work[0], reviews[0], work[1], reviews[1]].filter((one) => one !== undefined)
    expect(all.map((one) => predecessorOf(one, all)?.id)).toEqual([
      undefined,
      undefined,
      work[0]?.id,
      reviews[0]?.id,
    ])
  })
})

describe('the predecessor of a visit', () => {
  it('is an earlier attempt at the same visit, even if another visit of the role came between', () => {
    const first = visit()
    const other = visit()
    const { purpose } = first
    const again = exampleAttempt(job, { purpose, number: 2 })
    expect(predecessorOf(again, [first, other, again])?.id).toBe(first.id)
  })

  it('is otherwise the newest earlier visit of the same role in the same run', () => {
    const foreign = visit(undefined, {}, ids.next('run'))
    const first = visit()
    const second = visit(undefined, { number: 2 })
    const tester = visit(undefined, { role: 'tester' })
    const asking = visit()
    const later = visit()
    const all = [first, second, tester, foreign, asking, later]
    expect(predecessorOf(asking, all)?.id).toBe(second.id)
    expect(predecessorOf(first, all)).toBeUndefined()
    expect(predecessorOf(tester, all)).toBeUndefined()
  })
})
