import { describe, expect, it } from 'vitest'
import type { SessionId } from '../id.ts'
import type { SessionEnd } from '../session/session-state.ts'
import { firstCheck } from './check-progress.ts'
import { type EndedCheck, nextCheckStep } from './next-check-step.ts'

const passed: SessionEnd = { type: 'exited', code: 0 }
const exited = { end: { type: 'exited', code: 1 }, problem: { kind: 'exited', text: 'no' } } as const
const altered = { end: passed, problem: { kind: 'altered', text: 'changed a file' } } as const
const unprepared = {
  end: { type: 'unprepared', command: 'make', code: 2 },
  problem: { kind: 'setup', text: 'make failed' },
} as const
const lost = { end: { type: 'lost', reason: 'gone' }, problem: { text: 'gone' } } as const
const cancelled = { end: { type: 'cancelled' }, problem: { text: 'stopped' } } as const

const progress = firstCheck('ses_1' as SessionId)
/** The first check has had its second chance. */
const retried = { ...progress, suspects: [0], lost: 2 }
const last = { ...progress, checkIndex: 1, suspects: [1] }

function stepAfter(fields: Partial<EndedCheck>) {
  const ended = {
    commands: ['lint', 'test'],
    progress,
    end: passed,
    problem: undefined,
    rule: 'stop',
  } as const
  return nextCheckStep({ ...ended, ...fields })
}

describe('after a check that passed', () => {
  it('runs the next one, or ends if there is none', () => {
    expect(stepAfter({})).toEqual({ type: 'next', index: 1, command: 'test', isAfterFailure: false })
    expect(stepAfter({ progress: last })).toEqual({ type: 'end' })
  })
})

describe('after a check that failed', () => {
  it.each(['stop', 'continue'] as const)('runs all checks again once, if failures %s', (rule) => {
    expect(stepAfter({ ...exited, rule })).toEqual({ type: 'again', why: 'failed', pauseMs: 0 })
    expect(stepAfter({ ...exited, rule, progress: retried }).type).not.toBe('again')
  })

  it('stops, or runs the next check if each result is needed', () => {
    expect(stepAfter({ ...exited, progress: retried })).toEqual({ type: 'stop', problem: exited.problem })
    expect(stepAfter({ ...exited, progress: retried, rule: 'continue' })).toEqual({
      type: 'next',
      index: 1,
      command: 'test',
      isAfterFailure: true,
    })
    expect(stepAfter({ ...exited, progress: last, rule: 'continue' })).toEqual({ type: 'end' })
  })

  it('continues at once if the failure is tolerated', () => {
    expect(stepAfter({ ...exited, rule: 'tolerate' })).toMatchObject({ type: 'next', isAfterFailure: true })
    expect(stepAfter({ ...exited, rule: 'tolerate', progress: last })).toEqual({ type: 'end' })
  })

  it('gives no second chance to a check that changed its files', () => {
    expect(stepAfter(altered)).toEqual({ type: 'stop', problem: altered.problem })
    expect(stepAfter({ ...altered, rule: 'continue' })).toMatchObject({ type: 'next', isAfterFailure: true })
  })
})

describe('after a check without a result for the tree', () => {
  it.each(['stop', 'continue', 'tolerate'] as const)(
    'retries and then stops, even if failures %s',
    (rule) => {
      for (const ended of [lost, unprepared]) {
        expect(stepAfter({ ...ended, rule })).toEqual({ type: 'again', why: 'lost', pauseMs: 2_000 })
        const { problem } = ended
        expect(stepAfter({ ...ended, rule, progress: retried })).toEqual({ type: 'stop', problem })
      }
      expect(stepAfter({ ...cancelled, rule })).toEqual({ type: 'stop', problem: cancelled.problem })
    },
  )
})
