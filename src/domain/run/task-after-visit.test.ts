import { describe, expect, it } from 'vitest'
import { exampleCycle, exampleJob, exampleTask } from '../../../test/support/example-records.ts'
import type { Verdict } from '../review/verdict.ts'
import { type AcceptedVisit, taskAfterVisit } from './task-after-visit.ts'

const task = exampleTask(exampleCycle(exampleJob()), { successCriteria: ['it is short', 'it is fast'] })

const CHANGES = { files: 1, added: 2, removed: 0, unusual: [] }
const WORK = { files: ['a.txt'], commits: ['c1'], changes: CHANGES, omissions: ['a secret'] }

const made: AcceptedVisit = {
  branch: 0,
  work: WORK,
  answer: { summary: 'wrote it', criteria: [{ criterion: 1, evidence: 'a.txt' }, { criterion: 9 }] },
  verdict: undefined,
  isJudgedByTask: true,
}

const verdict: Verdict = {
  type: 'needs-revision',
  summary: '',
  issues: [{ severity: '', location: '', issue: 'slow', suggestion: '' }],
  criteria: [{ number: 2, isMet: false, evidence: 'a.txt:1', by: 'reviewer' }],
}

const review: AcceptedVisit = { ...made, work: undefined, answer: undefined, verdict }

describe('a task after a visit of its run', () => {
  it('has the work, its summary and what its agent claims', () => {
    expect(taskAfterVisit(task, made)).toMatchObject({
      resultSummary: 'wrote it',
      changes: { ...CHANGES, omissions: ['a secret'] },
      criteria: [{ number: 1, isMet: true, evidence: 'a.txt', by: 'worker' }],
      filesModified: ['a.txt'],
      commitsMade: ['c1'],
    })
  })

  it('has what the reviewer found, until there is new work', () => {
    const reviewed = taskAfterVisit(taskAfterVisit(task, made), review)
    expect(reviewed.criteria).toMatchObject([
      { number: 1, by: 'worker' },
      { number: 2, isMet: false, by: 'reviewer' },
    ])
    expect(taskAfterVisit(reviewed, { ...made, answer: {} })).toMatchObject({
      criteria: [],
      resultSummary: '1 file changed, +2 -0',
    })
  })

  it('has no results for criteria that the run made for itself', () => {
    expect(taskAfterVisit(task, { ...made, isJudgedByTask: false }).criteria).toEqual([])
    expect(taskAfterVisit(task, { ...review, isJudgedByTask: false })).toBe(task)
  })

  it('is unchanged by work that competes with other work, and by visits without any', () => {
    expect(taskAfterVisit(task, { ...made, branch: 2 })).toBe(task)
    expect(taskAfterVisit(task, { ...made, work: undefined })).toBe(task)
  })
})
