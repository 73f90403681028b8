import { describe, expect, it } from 'vitest'
import { exampleAttempt, exampleJob, ids } from '../../../test/support/example-records.ts'
import type { Attempt } from '../attempt/attempt.ts'
import { SESSION_LIMITS } from '../limits/session-limits.ts'
import { keepPlace, keptUntil } from './keep-place.ts'

const NOW = new Date()
const job = exampleJob()
const WORK = { type: 'task', taskId: ids.next('task') } as const
const VISIT = {
  type: 'visit',
  taskId: ids.next('task'),
  runId: ids.next('run'),
  visitId: ids.next('visit'),
  makesWork: true,
  judges: false,
} as const
const DISCOVERY = { type: 'discovery', cycleId: ids.next('cycle') } as const

function ended(purpose: Attempt['purpose'], code = 0): Attempt {
  const end = { type: 'exited', code } as const
  const state = { type: 'ended', end, ending: code === 0 ? 'done' : 'failed' } as const
  return exampleAttempt(job, { purpose, state, endedAt: NOW })
}

describe('the place of an ended attempt', () => {
  it('is kept with the priority of its task, ahead of new work', () => {
    expect(keepPlace(job, ended(WORK, 1), 'P0', NOW)).toMatchObject({
      projectId: job.projectId,
      turn: { isPersonal: false, priority: 'P0', stage: 'continue', since: NOW },
    })
  })

  it('is kept as new work if the attempt was a planner', () => {
    expect(keepPlace(job, ended(DISCOVERY), 'P1', NOW)).toMatchObject({ turn: { stage: 'begin' } })
  })

  it('is not kept for finished work that only has to land', () => {
    expect(keepPlace(job, ended(WORK), 'P0', NOW)).toBeUndefined()
  })

  it('is kept for finished work of a visit, because its run continues', () => {
    expect(keepPlace(job, ended(VISIT), 'P0', NOW)).toMatchObject({ turn: { stage: 'continue' } })
  })

  it('is not kept before the attempt ends or after it is settled', () => {
    const settled = { type: 'settled', outcome: { type: 'accepted' } } as const
    for (const state of [{ type: 'running' } as const, settled]) {
      expect(keepPlace(job, { ...ended(WORK), state }, 'P0', NOW)).toBeUndefined()
    }
  })

  it('is given up if the attempt is not settled in time, or if the clock was set back', () => {
    const place = keepPlace(job, ended(WORK, 1), 'P0', NOW)
    if (place === undefined) throw new Error('there is no place')
    const until = keptUntil(place)
    expect(until.getTime() - NOW.getTime()).toBe(SESSION_LIMITS.keptPlaceMs)
    expect(keepPlace(job, ended(WORK, 1), 'P0', new Date(until.getTime() - 1))).toBeDefined()
    expect(keepPlace(job, ended(WORK, 1), 'P0', until)).toBeUndefined()
    expect(keepPlace(job, ended(WORK, 1), 'P0', new Date(NOW.getTime() - 3_600_000))).toBeUndefined()
  })
})
