import { describe, expect, it } from 'vitest'
import { exampleLandingAction } from '../../../test/support/example-records.ts'
import { sampleApproval, sampleJob, sampleSession } from '../../../test/support/server/sample-records.ts'
import { waitingSchema } from '../../contract/waiting.ts'
import type { Message } from '../../domain/message/message.ts'
import type { Waiting } from '../../engine/queries/waiting.ts'
import { waitingToWire } from './waiting-to-wire.ts'

const session = sampleSession()
const job = sampleJob()
const approval = sampleApproval()
const until = '2026-05-01T14:05:00.000Z'
const message = {
  id: 'msg_1',
  jobId: job.id,
  subject: '',
  body: '\n which one?\nthe first or the second',
} as unknown as Message

const cases: readonly (readonly [Waiting, object])[] = [
  [
    { type: 'approval', approval, agentName: 'mine' },
    {
      id: approval.id,
      jobId: job.id,
      waitsFor: 'person',
      why: 'mine wants to run: rm -rf leaves',
      until: '2026-05-01T13:00:00.000Z',
      next: `muster approve ${approval.id}`,
    },
  ],
  [
    {
      type: 'question',
      question: { message, agentName: 'ada', task: { cycleNumber: 1, number: 4 } as never },
    },
    {
      id: 'msg_1',
      jobId: job.id,
      waitsFor: 'person',
      why: 't1-4 (ada) asks: which one?',
      next: 'muster answer msg_1 "..."',
    },
  ],
  [
    { type: 'session-limited', session, until },
    {
      id: session.id,
      jobId: job.id,
      waitsFor: 'quota',
      why: 'mine is out of quota',
      until,
      next: `muster resume ${session.id}`,
    },
  ],
  [
    { type: 'session-suspended', session, reason: 'lunch' },
    {
      id: session.id,
      jobId: job.id,
      waitsFor: 'person',
      why: 'mine is suspended: lunch',
      next: `muster resume ${session.id}`,
    },
  ],
  [
    { type: 'session-idle', session },
    {
      id: session.id,
      waitsFor: 'person',
      why: 'mine is waiting for your next message',
      next: `muster send ${session.id} "..."`,
    },
  ],
  [
    { type: 'job-paused', job },
    {
      id: job.id,
      jobId: job.id,
      waitsFor: 'person',
      why: 'the job is paused',
      next: `muster resume ${job.id}`,
    },
  ],
  [
    { type: 'job-pending', job },
    {
      id: job.id,
      jobId: job.id,
      waitsFor: 'person',
      why: 'the job has not started',
      next: `POST /api/orchestrator/${job.id}/start`,
    },
  ],
  [
    { type: 'job-day-spent', job, dailyUsd: 5, until: new Date(until) },
    {
      id: job.id,
      jobId: job.id,
      waitsFor: 'money',
      why: 'the daily budget of $5.00 is spent: running agents continue, nothing new starts',
      until,
      next: `muster show ${job.id}`,
    },
  ],
]

describe('a waiting item', () => {
  it.each([
    ['day', 'money'],
    ['budget', 'money'],
    ['global', 'capacity'],
    ['memory', 'capacity'],
  ] as const)('that waits for the limit %s waits for %s', (limit, waitsFor) => {
    const wait = { limit, value: 5, inUse: 5, since: until }
    expect(waitingToWire({ type: 'session-start', session, wait })).toMatchObject({ waitsFor })
    expect(waitingToWire({ type: 'job-start', job, wait, tasks: 1 })).toMatchObject({ waitsFor })
  })

  it.each(cases)('has a reason and a next step: $type', (waiting, wire) => {
    expect(waitingSchema.strict().parse(waitingToWire(waiting))).toEqual(wire)
  })

  it('names the tasks that want to land', () => {
    const tasks = [{ name: 't1-1', title: 'Parse weeks' }]
    const action = { ...exampleLandingAction(), tasks }
    expect(waitingToWire({ type: 'approval', approval: { ...approval, action } })).toMatchObject({
      why: 't1-1 "Parse weeks" wants to land',
      next: `muster diff ${approval.id}, then: muster approve ${approval.id}`,
    })
  })

  it('leaves out the reason of a suspension if there is none', () => {
    const { why } = waitingToWire({ type: 'session-suspended', session })
    expect(why).toBe('mine is suspended')
  })

  it('shortens the action an agent asks for', () => {
    const action = {
      type: 'tool-use',
      tool: 'Bash',
      input: { command: 'x'.repeat(500) },
      directory: '/',
    } as const
    const { why } = waitingToWire({ type: 'approval', approval: { ...approval, action } })
    expect(why).toMatch(/^an agent wants to run: x+…$/)
    expect(why.length).toBeLessThan(160)
  })
})
