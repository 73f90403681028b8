import { expect, it } from 'vitest'
import {
  exampleAttempt,
  exampleCycle,
  exampleJob,
  exampleTask,
  ids,
} from '../../../test/support/example-records.ts'
import type { LandingState } from '../landing/landing.ts'
import { whyUnlanded } from './why-unlanded.ts'

const job = exampleJob()
const task = exampleTask(exampleCycle(job))
const attempt = exampleAttempt(job, { purpose: { type: 'task', taskId: task.id } })

function whyIn(state: LandingState): string {
  const landing = {
    id: ids.next('landing'),
    jobId: job.id,
    taskId: task.id,
    attemptId: attempt.id,
    tip: 'a'.repeat(40),
    branch: job.workingBranch,
    state,
    checks: [],
    batchLimit: 1,
    version: 1,
    createdAt: new Date(0),
  }
  return whyUnlanded({ attempt, task, landing })
}

it('does not call work lost that can still land', () => {
  expect(whyIn({ type: 'queued' })).toBe('it is in the merge queue')
  expect(whyIn({ type: 'checking', candidateId: ids.next('candidate') })).toBe('it is in the merge queue')
  const inReview = { ...task, state: { type: 'review', runId: ids.next('run') } as const }
  expect(whyUnlanded({ attempt, landing: undefined, task: inReview })).toBe('it is waiting for its review')
  expect(whyUnlanded({ attempt, landing: undefined, task })).toBe('it never reached the merge queue')
})
