import { describe, expect, it } from 'vitest'
import type { SessionId } from '../id.ts'
import type { SessionEnd } from '../session/session-state.ts'
import { retryCheck } from './retry-check.ts'

const sessionId = 'ses_1' as SessionId
const checking = (fields: { suspects?: readonly number[]; lost?: number } = {}) =>
  ({ type: 'checking', checkIndex: 1, sessionId, suspects: [], lost: 0, ...fields }) as const
const failed: SessionEnd = { type: 'exited', code: 1 }

describe('a check that did not pass', () => {
  it('is run once more when it failed by itself', () => {
    expect(retryCheck(checking(), failed)).toEqual({ why: 'failed', pauseMs: 0 })
    expect(retryCheck(checking({ suspects: [0] }), failed)).toEqual({ why: 'failed', pauseMs: 0 })
    expect(retryCheck(checking({ suspects: [0, 1] }), failed)).toBeUndefined()
  })

  it('is not run again when it hung, was stopped, or exited well and changed its tree', () => {
    expect(retryCheck(checking(), { type: 'timed-out', afterMs: 1 })).toBeUndefined()
    expect(retryCheck(checking(), { type: 'cancelled', reason: 'enough' })).toBeUndefined()
    expect(retryCheck(checking(), { type: 'exited', code: 0 })).toBeUndefined()
  })

  it('is run three times when its end says nothing about the tree, and ten times when it could not start', () => {
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
