import { describe, expect, it } from 'vitest'
import { type KnownEvent, receivedEventSchema } from '../../../contract/event.ts'
import { SAMPLE_AT, SAMPLE_JOB_ID, sampleEvent } from '../../testing/sample-wire.ts'
import { createPaint } from '../text/paint.ts'
import { eventLine } from './event-line.ts'
import { eventWords } from './event-words.ts'
import { rawEventLine } from './raw-event-line.ts'
import { transcriptLines } from './transcript-lines.ts'

const plain = createPaint(false)
const introducer = String.fromCharCode(27)
const RAW = { seq: 1, jobId: SAMPLE_JOB_ID, at: SAMPLE_AT }
const budgetText = (data: Record<string, unknown>) =>
  eventWords(sampleEvent('budget_reached', { data }))?.text

describe('eventLine', () => {
  it('says when, about what and what happened', () => {
    const event = sampleEvent('task_started', { data: { number: 1, description: 'Fix mean()' } })
    expect(eventLine(event, 't1-1', plain, 'normal')).toMatch(
      /^\d\d:\d\d:\d\d t1-1 {3}started: Fix mean\(\)$/,
    )
  })

  it('warns at the start of a job, where there is something to warn of', () => {
    const line = (data: Record<string, unknown>) =>
      eventLine(sampleEvent('job_started', { data }), undefined, plain, 'normal')
    expect(line({})).toMatch(/ started$/)
    expect(line({ warnings: ['not copied: .env'] })).toMatch(/ started; not copied: \.env$/)
  })

  it('shows what an agent says, its lines joined', () => {
    const event = sampleEvent('agent_message', { data: { type: 'text', text: 'reading\nwriting' } })
    expect(eventLine(event, 't1-1', plain, 'normal')).toContain('reading / writing')
  })

  it('takes what an agent does with its tools as a detail', () => {
    const event = sampleEvent('agent_message', {
      data: { type: 'tool-call', name: 'Edit', input: { path: 'a' } },
    })
    expect(eventLine(event, 't1-1', plain, 'normal')).toBeUndefined()
    expect(eventLine(event, 't1-1', plain, 'verbose')).toContain('Edit  a')
  })

  it('lets no escape sequence of an agent through', () => {
    const text = `${introducer}[2Jgone${introducer}]0;owned${String.fromCharCode(7)}`
    const events = [
      sampleEvent('agent_message', { data: { type: 'text', text } }),
      sampleEvent('task_failed', { data: { error: text } }),
      sampleEvent('task_completed', { data: { summary: text } }),
      receivedEventSchema.parse({ ...RAW, type: `odd${introducer}[31m`, data: { text } }),
    ]
    for (const event of events) {
      expect(eventLine(event, 't1-1', plain, 'verbose')).not.toContain(introducer)
      expect(rawEventLine(event, 't1-1', plain)).not.toContain(introducer)
    }
  })

  it('names a blocked task blocked and says why', () => {
    const event = sampleEvent('task_failed', { data: { status: 'blocked', error: 'conflicts in a.mjs' } })
    expect(eventLine(event, 't1-2', plain, 'normal')).toContain('blocked: conflicts in a.mjs')
  })

  it('says in plain words why a job ended', () => {
    const ended = (reason: string) =>
      eventLine(sampleEvent('job_completed', { data: { reason } }), undefined, plain, 'normal')
    expect(ended('goal-reached')).toMatch(/job +completed: the goal is reached$/)
    expect(ended('max-cycles-reached')).toMatch(/job +stopped at the limit of cycles$/)
  })

  it('says that an agent waits for quota, or for the person, and what was decided', () => {
    const until = '2026-01-02T23:59:00.000Z'
    const told = (type: KnownEvent['type'], data: Record<string, unknown>) =>
      eventLine(sampleEvent(type, { data }), undefined, plain, 'normal')
    expect(told('session_suspended', { agent: 'ada', why: 'limited', until })).toMatch(
      /ada waits for quota until (\d{4}-\d\d-\d\d )?\d\d:\d\d$/,
    )
    expect(told('session_suspended', { agent: 'ada', why: 'asked', reason: 'lunch' })).toContain(
      'ada is suspended: lunch',
    )
    const action = { tool: 'Bash', input: { command: `rm${introducer}[2J` }, directory: '/tree' }
    const asked = told('approval_requested', { agent: 'ada', approvalId: 'apr_1', action })
    expect(asked).toContain('ada asks to use Bash  rm')
    expect(asked).toMatch(/\n +muster approve apr_1$/)
    expect(asked).not.toContain(introducer)
    const decision = { type: 'denied', by: 'person', reason: 'no' }
    expect(told('approval_decided', { approvalId: 'apr_1', decision })).toContain('apr_1 denied: no')
  })

  it('says that a task starts again, and whether after a failure or after a review', () => {
    const told = (data: Record<string, unknown>) =>
      eventLine(sampleEvent('task_started', { data: { description: 'x', ...data } }), 't1-1', plain, 'normal')
    expect(told({ attempt: 1 })).toMatch(/ started: x$/)
    expect(told({ attempt: 2 })).toMatch(/ started again \(attempt 2\): x$/)
    expect(told({ attempt: 2, round: 1 })).toMatch(/ started again \(round 2\): x$/)
  })

  it('does not blame every task of a batch for a check that failed once', () => {
    const data = { check: 'make', again: 'failed', together: 3 }
    const told = eventLine(sampleEvent('landing_checking', { data }), 't1-4', plain, 'normal')
    expect(told).toContain('the batch of 3 failed once; run again')
  })

  it('names the base where it is about what came from there, and the edit that a cycle begins with', () => {
    const base = sampleEvent('landing_rejected', { cycle: 2, data: { base: 'main', reason: 'conflicts' } })
    expect(eventLine(base, undefined, plain, 'normal')).toMatch(/ base {3}not landed: conflicts$/)
    const taken = (cycle: number) =>
      sampleEvent('document_taken_up', { cycle, data: { kind: 'goal', number: cycle, cycle } })
    expect(eventLine(taken(3), undefined, plain, 'normal')).toMatch(
      / c3 +begins with what was edited: the goal \(version 3\)$/,
    )
    expect(eventLine(taken(1), undefined, plain, 'normal')).toBeUndefined()
  })

  it('says until when a job rests that has no money left for today', () => {
    const until = new Date(2030, 0, 2).toISOString()
    expect(budgetText({ day: true, until, spentUsd: 2.1, budgetUsd: 2 })).toBe(
      'rests until 2030-01-02 00:00: the $2.00 that a day may cost are spent; nothing new starts',
    )
  })

  it('says when something is left of a budget that does not pay for one more attempt', () => {
    const meanUsd = { worker: 0.4 }
    expect(budgetText({ spentUsd: 0.8, budgetUsd: 1, meanUsd, role: 'worker' })).toBe(
      'the budget is reached: $0.80 of $1.00 ($0.20 is left, and an attempt costs $0.40 on average); nothing more starts',
    )
    expect(budgetText({ spentUsd: 1.1, budgetUsd: 1, meanUsd })).toBe(
      'the budget is reached: $1.10 of $1.00; nothing more starts',
    )
  })

  it('shows an event of an unknown type only when everything was asked for', () => {
    const event = receivedEventSchema.parse({ ...RAW, type: 'moon_rose', data: { phase: 'full' } })
    expect(eventLine(event, undefined, plain, 'normal')).toBeUndefined()
    expect(eventLine(event, undefined, plain, 'verbose')).toContain('moon_rose')
    expect(rawEventLine(event, undefined, plain)).toMatch(/ moon_rose +\{"phase":"full"\}$/)
  })

  it('shows an event whose data it cannot read as it was sent', () => {
    const event = receivedEventSchema.parse({ ...RAW, type: 'task_started', data: { number: 'one' } })
    expect(eventLine(event, undefined, plain, 'normal')).toBeUndefined()
    expect(rawEventLine(event, undefined, plain)).toContain('{"number":"one"}')
  })
})

describe('transcriptLines', () => {
  it('puts the name of the task before every line', () => {
    const event = sampleEvent('agent_message', { data: { type: 'text', text: 'one\n\ntwo' } })
    expect(transcriptLines(event, 't1-2', plain)).toEqual(['[t1-2] one', '[t1-2] two'])
  })

  it('tells what a planner thought instead of the JSON it answered with', () => {
    const text = JSON.stringify({ tasks: [{ description: 'x' }], reasoning: 'one thing is left' })
    const event = sampleEvent('agent_message', { cycle: 1, data: { type: 'text', role: 'planner', text } })
    expect(transcriptLines(event, undefined, plain)).toEqual(['[plan1] one thing is left'])
  })

  it('names the planner where there is no task', () => {
    const event = sampleEvent('agent_message', { cycle: 3, data: { type: 'error-output', text: 'oh' } })
    expect(transcriptLines(event, undefined, plain)).toEqual(['[plan3] ! oh'])
  })
})
