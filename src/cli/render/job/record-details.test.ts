import { describe, expect, it } from 'vitest'
import type { WireAttempt } from '../../../client/index.ts'
import { SAMPLE_JOB_ID, sampleJob, sampleLanding, sampleTask } from '../../testing/sample-wire.ts'
import { landingTable } from '../task/landing-table.ts'
import type { Display } from '../text/display.ts'
import { createPaint } from '../text/paint.ts'
import { jobDetailLines, landingDetailLines, taskDetailLines } from './record-details.ts'

const display: Display = { paint: createPaint(false), hint: (text) => text, shortId: (id) => id }

const review: WireAttempt = {
  id: 'att_1',
  jobId: SAMPLE_JOB_ID,
  cycleId: 'cyc_1',
  purpose: 'review',
  judges: true,
  role: 'reviewer',
  number: 1,
  agent: 'eve',
  provider: 'command',
  sessionId: 'ses_1',
  status: 'settled',
  outcome: 'rejected',
  reason: 'there was no answer',
  handoffs: [],
  version: 1,
  createdAt: '2026-01-02T03:04:05.000Z',
}

describe('the details of a task', () => {
  const task = { ...sampleTask({ errorMessage: 'Nearly' }), attempts: [review], landings: [] }

  it('show no reason from an earlier round if the task is completed', () => {
    expect(taskDetailLines(task, display, undefined).join('\n')).not.toContain('Nearly')
    expect(taskDetailLines({ ...task, status: 'failed' }, display, undefined)).toContain(
      '  why          Nearly',
    )
  })

  it('show what could not be collected from the tree', () => {
    const changes = { files: 1, added: 1, removed: 0, unusual: [], omissions: ['one', 'two', 'a\nb', 'four'] }
    const lines = taskDetailLines({ ...task, changes }, display, undefined)
    expect(lines).toContain('  left out     one; two; a b; and 1 more')
    expect(taskDetailLines(task, display, undefined).join('\n')).not.toContain('left out')
  })

  it('show the playbook that works on the task', () => {
    const lines = taskDetailLines({ ...task, playbook: 'solo' }, display, undefined)
    expect(lines).toContain('  playbook     solo')
  })

  it('show no conflicts if the task is blocked without any', () => {
    const lines = taskDetailLines({ ...task, status: 'blocked', conflictPaths: [] }, display, undefined)
    expect(lines.filter((line) => line.includes('conflicts'))).toEqual([])
  })

  it('show a review without an answer as no verdict', () => {
    expect(taskDetailLines(task, display, undefined)).toContain(
      '  review 1 by eve (ses_1) no verdict: there was no answer',
    )
  })
})

describe('a landing that waits for a person', () => {
  const landing = sampleLanding({ status: 'checking', approvalId: 'apr_1' })

  it('is shown with commands to inspect and approve it', () => {
    expect(landingDetailLines(landing, display).slice(0, 4)).toEqual([
      `${landing.id} waiting for your approval`,
      '  approval     apr_1',
      '  try          muster diff apr_1',
      '               muster approve apr_1',
    ])
  })

  it('is not listed as checking', () => {
    const [, row] = landingTable([landing], new Map(), display)
    expect(row).toMatch(/ waiting .* waiting for you: apr_1$/)
    expect(row).not.toContain('checking')
  })
})

describe('the details of a job', () => {
  it('start with the summary, and format times and limits for people', () => {
    const at = new Date(2026, 0, 2, 14, 5)
    const job = sampleJob({
      status: 'completed',
      reason: 'goal-reached',
      startedAt: at.toISOString(),
      movedBase: { commit: 'f'.repeat(40), problem: 'it conflicts' },
    })
    const limits = { ...job.limits, timeLimitMinutes: 480 }
    const lines = jobDetailLines({ ...job, limits }, [sampleTask()], at, display)
    expect(lines[0]).toBe(SAMPLE_JOB_ID)
    expect(lines[1]).toMatch(/\(\d+ cycles?, .*\)$/)
    expect(lines).toContain('  started      14:05')
    expect(lines).toContain('  time limit   8h')
    expect(lines).toContain('  base moved   to ffffffffff, which could not be merged: it conflicts')
  })
})
