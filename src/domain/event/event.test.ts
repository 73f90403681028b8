import { expect, it } from 'vitest'
import { exampleCycle, exampleJob, exampleTask, ids } from '../../../test/support/example-records.ts'
import { type NewEvent, streamOf } from './event.ts'
import { jobPaused } from './job-events.ts'
import { checkPrinted, taskFailed } from './task-events.ts'

it('an event belongs to the stream of its job, or of its session outside any job', () => {
  const job = exampleJob()
  const sessionId = ids.next('session')
  expect(streamOf(jobPaused(job))).toBe(job.id)
  expect(streamOf(checkPrinted({ jobId: job.id, sessionId }, 'ok'))).toBe(job.id)
  expect(streamOf(checkPrinted({ sessionId }, 'ok'))).toBe(sessionId)
  expect(() => streamOf({})).toThrow('must belong to a job or a session')
})

it('an event carries its place next to its data', () => {
  const job = exampleJob()
  const task = exampleTask(exampleCycle(job, { number: 3 }), { number: 2 })
  const attemptId = ids.next('attempt')
  expect(taskFailed(task, { status: 'skipped', error: 'cancelled' }, attemptId)).toEqual({
    type: 'task_failed',
    jobId: job.id,
    cycle: 3,
    taskId: task.id,
    attemptId,
    data: { number: 2, status: 'skipped', error: 'cancelled' },
  })
})

it('an event can only be made by a builder', () => {
  const { id: jobId } = exampleJob()
  // @ts-expect-error: a literal has the right fields but lacks the brand
  const literal: NewEvent = { type: 'job_error', jobId, data: { error: 'no' } }
  expect(literal.type).toBe('job_error')
})
