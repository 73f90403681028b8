import { describe, expect, it } from 'vitest'
import type { WireAttempt } from '../../../client/index.ts'
import { SAMPLE_JOB_ID, sampleJob, sampleLanding, sampleTask } from '../../testing/sample-wire.ts'
import { landingTable } from '../task/landing-table.ts'
import type { Look } from '../text/look.ts'
import { createPaint } from '../text/paint.ts'
import { jobDetailLines, landingDetailLines, taskDetailLines } from './record-details.ts'

const look: Look = { paint: createPaint(false), hint: (text) => text }

const review: WireAttempt = {
  id: 'att_1',
  jobId: SAMPLE_JOB_ID,
  cycleId: 'cyc_1',
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

describe('a task', () => {
  const task = { ...sampleTask({ errorMessage: 'Nearly' }), attempts: [review], landings: [] }

  it('that is completed tells no reason of an earlier round', () => {
    expect(taskDetailLines(task, look, undefined).join('\n')).not.toContain('Nearly')
    expect(taskDetailLines({ ...task, status: 'failed' }, look, undefined)).toContain('  why          Nearly')
  })

  it('that is blocked without conflicts has none', () => {
    const lines = taskDetailLines({ ...task, status: 'blocked', conflictPaths: [] }, look, undefined)
    expect(lines.filter((line) => line.includes('conflicts'))).toEqual([])
  })

  it('was not rejected by a reviewer who gave no answer', () => {
    expect(taskDetailLines(task, look, undefined)).toContain(
      '  review 1 by eve (ses_1) no verdict: there was no answer',
    )
  })
})

describe('a landing that waits for a person', () => {
  const landing = sampleLanding({ status: 'checking', approvalId: 'apr_1' })

  it('says so, and how to look at it and to let it', () => {
    expect(landingDetailLines(landing, look).slice(0, 4)).toEqual([
      `${landing.id} waits for your approval`,
      '  approval     apr_1',
      '  try          muster diff apr_1',
      '               muster approve apr_1',
    ])
  })

  it('is not listed as one that is checked', () => {
    const [, row] = landingTable([landing], new Map(), look)
    expect(row).toMatch(/ asking .* waits for you: apr_1$/)
    expect(row).not.toContain('checking')
  })
})

describe('a job', () => {
  it('begins with what became of it, and has times and limits as people say them', () => {
    const at = new Date(2026, 0, 2, 14, 5)
    const job = sampleJob({
      status: 'completed',
      reason: 'goal-reached',
      startedAt: at.toISOString(),
      movedBase: { commit: 'f'.repeat(40), problem: 'it conflicts' },
    })
    const limits = { ...job.limits, timeLimitMinutes: 480 }
    const lines = jobDetailLines({ ...job, limits }, [sampleTask()], at, look)
    expect(lines[0]).toBe(SAMPLE_JOB_ID)
    expect(lines[1]).toMatch(/\(\d+ cycles?, .*\)$/)
    expect(lines).toContain('  started      14:05')
    expect(lines).toContain('  time limit   8h')
    expect(lines).toContain('  base moved   to ffffffffff, which could not be brought in: it conflicts')
  })
})
