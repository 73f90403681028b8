import { describe, expect, it } from 'vitest'
import type { SessionId } from '../id.ts'
import type { SessionEnd } from '../session/session-state.ts'
import { firstCheck } from './check-progress.ts'
import { retryCheck } from './retry-check.ts'

const sessionId = 'ses_1' as SessionId
const checking = (fields: { suspects?: readonly number[]; lost?: number } = {}) => ({
  ...firstCheck(sessionId),
  checkIndex: 1,
  ...fields,
})
const failed: SessionEnd = { type: 'exited', code: 1 }

describe('a check that did not pass', () => {
  it('runs once more if it was killed, as by a machine that is short of memory', () => {
    const killed: SessionEnd = { type: 'signalled', signal: 9 }
    expect(retryCheck(checking(), killed)).toEqual({ why: 'failed', pauseMs: 0 })
    expect(retryCheck(checking({ suspects: [1] }), killed)).toBeUndefined()
  })

  it('runs once more if it failed by itself', () => {
    expect(retryCheck(checking(), failed)).toEqual({ why: 'failed', pauseMs: 0 })
    expect(retryCheck(checking({ suspects: [0] }), failed)).toEqual({ why: 'failed', pauseMs: 0 })
    expect(retryCheck(checking({ suspects: [0, 1] }), failed)).toBeUndefined()
  })

  it('does not run again if it hung, was stopped, or exited well but changed its tree', () => {
    expect(retryCheck(checking(), { type: 'timed-out', afterMs: 1 })).toBeUndefined()
    expect(retryCheck(checking(), { type: 'cancelled', reason: 'enough' })).toBeUndefined()
    expect(retryCheck(checking(), { type: 'exited', code: 0 })).toBeUndefined()
  })

  it('runs three times if its result was lost, and ten times if it could not start', () => {
    const pausesOf = (end: SessionEnd) =>
      Array.from({ length: 10 }, (_, lost) => retryCheck(checking({ lost }), end)?.pauseMs)
    expect(pausesOf({ type: 'lost', reason: 'no exit status' }).slice(0, 3)).toEqual([
      2_000,
      4_000,
      undefined,
    ])
    expect(pausesOf({ type: 'unprepared', command: 'make', code: 2 }).slice(0, 3)).toEqual([
      2_000,
      4_000,
      undefined,
    ])
    expect(pausesOf({ type: 'unstarted', reason: 'no space' })).toEqual([
      2_000,
      4_000,
      8_000,
      16_000,
      30_000,
      30_000,
      30_000,
      30_000,
      30_000,
      undefined,
    ])
  })
})
