import { describe, expect, it } from 'vitest'
import type { SessionId } from '../id.ts'
import type { BaselineState } from './baseline-state.ts'
import { nextBaselineState } from './next-baseline-state.ts'

const sessionId = 'ses_2' as SessionId
const checking: BaselineState = {
  type: 'checking',
  checkIndex: 1,
  sessionId: 'ses_1' as SessionId,
  suspects: [],
  lost: 0,
}

describe('nextBaselineState', () => {
  it.each([
    ['the next check starts', { type: 'check-next', sessionId }, { checkIndex: 2, sessionId }],
    [
      'a check failed once',
      { type: 'check-again', sessionId, why: 'failed' },
      { checkIndex: 0, suspects: [1] },
    ],
    ['a result was lost', { type: 'check-again', sessionId, why: 'lost' }, { checkIndex: 0, lost: 1 }],
    ['all passed', { type: 'checks-end', hasFailures: false }, { type: 'passed' }],
    ['some failed', { type: 'checks-end', hasFailures: true }, { type: 'failed' }],
    ['nothing could run', { type: 'checks-lost', reason: 'x' }, { type: 'unknown', reason: 'x' }],
    ['no job waits', { type: 'checks-release' }, { type: 'released' }],
  ] as const)('changes when %s', (_, event, expected) => {
    expect(nextBaselineState(checking, event)).toMatchObject({ ok: true, value: expected })
  })

  it('never changes a verdict', () => {
    expect(nextBaselineState({ type: 'passed' }, { type: 'checks-release' }).ok).toBe(false)
  })
})
