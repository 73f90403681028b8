import { expect, it } from 'vitest'
import { sampleEvent } from '../testing/sample-wire.ts'
import { keysFor } from './answer-in-place.ts'
import { nextWaits, type PersonWait } from './person-waits.ts'

const action = { type: 'tool-use', tool: 'Bash', input: { command: 'ls' }, directory: '/' }
const message = { messageId: 'msg_1', from: 'ses_1', to: 'person', subject: '', text: 'which one?' }
const asked = sampleEvent('approval_requested', { data: { approvalId: 'apr_1', action } })
const question = sampleEvent('message_sent', { data: { ...message, kind: 'question' } })
const waitsAfter = (...events: ReturnType<typeof sampleEvent>[]) =>
  events.reduce<readonly PersonWait[]>((waits, event) => nextWaits(waits, event, 't1-1'), [])

it('keeps what waits for the person until it is answered', () => {
  expect(waitsAfter(asked, question).map(({ words }) => words)).toEqual([
    't1-1 wants to run: ls',
    't1-1 asks: which one?',
  ])
  const decision = { type: 'allowed', by: 'eve' }
  const decided = sampleEvent('approval_decided', { data: { approvalId: 'apr_1', decision } })
  const answer = { ...message, messageId: 'msg_2', to: 'ses_1', kind: 'answer', inReplyTo: 'msg_1' }
  expect(waitsAfter(asked, question, decided, sampleEvent('message_sent', { data: answer }))).toEqual([])
})

it('does not ask about what a rule allows', () => {
  expect(
    waitsAfter(sampleEvent('approval_requested', { data: { approvalId: 'apr_1', action, ruleId: 'rul_1' } })),
  ).toEqual([])
})

it('no longer asks what no one waits for', () => {
  const ended = sampleEvent('session_ended', {
    sessionId: 'ses_1',
    data: {
      role: 'worker',
      ending: 'done',
      end: { type: 'exited', code: 0 },
      usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
    },
  })
  expect(waitsAfter(asked, question, ended)).toMatchObject([{ type: 'approval' }])
  expect(
    waitsAfter(asked, question, sampleEvent('job_completed', { data: { reason: 'goal-reached' } })),
  ).toEqual([])
})

it('waits for the person if the base fails, until they have decided', () => {
  const of = { branch: 'main', commit: 'a'.repeat(40) }
  const base = { ...of, outcome: 'failed', failures: [] }
  const failing = sampleEvent('base_checked', { data: { ...base, isAsking: true } })
  expect(waitsAfter(failing, failing)).toMatchObject([
    { type: 'base', words: 'checks already fail on main. What should the job do?' },
  ])
  const decided = sampleEvent('base_decided', {
    data: { ...of, decision: 'continue', commands: ['npm test'] },
  })
  expect(waitsAfter(failing, decided)).toEqual([])
  expect(waitsAfter(sampleEvent('base_checked', { data: base }))).toEqual([])
})

it('waits for the person if a program is not logged in, until its sessions try again', () => {
  const data = {
    role: 'worker',
    agent: 'ada',
    why: 'unready',
    reason: 'It is not logged in',
    remedy: 'Log in',
  }
  const suspended = (sessionId: string, more: object = {}) =>
    sampleEvent('session_suspended', { sessionId, data: { ...data, ...more } })
  const program = { provider: 'p', mode: 'headless', processNumber: 2, pid: 1, containment: 'bubblewrap' }
  const resumed = (sessionId: string) =>
    sampleEvent('session_resumed', { sessionId, data: { role: 'worker', agent: 'ada', ...program } })
  const waits = waitsAfter(suspended('ses_1'), suspended('ses_2'), suspended('ses_2'))
  expect(waits).toMatchObject([
    { type: 'unready', words: 'It is not logged in. Log in.', sessions: ['ses_1', 'ses_2'] },
  ])
  expect(waits.map(keysFor)).toEqual(['t try again · v view'])
  expect(waitsAfter(suspended('ses_1'), suspended('ses_2'), resumed('ses_1'))).toHaveLength(1)
  expect(waitsAfter(suspended('ses_1'), resumed('ses_1'))).toEqual([])
  // A network comes back without the person.
  expect(waitsAfter(suspended('ses_1', { until: '2026-01-02T03:04:05.000Z' }))).toEqual([])
})

it('offers to continue only on a base whose setup works', () => {
  const keysAfter = (isSetup: boolean) => {
    const failures = [{ command: 'npm ci', isSetup, detail: '' }]
    const base = { branch: 'main', commit: 'a'.repeat(40), outcome: 'failed', failures, isAsking: true }
    const [wait] = waitsAfter(sampleEvent('base_checked', { data: base }))
    return wait && [wait.words, keysFor(wait)]
  }
  expect(keysAfter(true)).toEqual([
    'setup already fails on main. What should the job do?',
    'f fix it first · t try again · s stop the job · v view',
  ])
  expect(keysAfter(false)?.[1]).toMatch(/^c continue · f fix/)
})

it('offers to continue after a fix that did not land only if setup works', () => {
  const keysAfter = (isSetup: boolean) => {
    const data = { branch: 'main', commit: 'a'.repeat(40), landed: false, isSetup }
    const [wait] = waitsAfter(sampleEvent('base_fix_ended', { data }))
    return wait && keysFor(wait)
  }
  expect(keysAfter(true)).toBe('f fix it first · t try again · s stop the job · v view')
  expect(keysAfter(false)).toMatch(/^c continue · f fix/)
})
