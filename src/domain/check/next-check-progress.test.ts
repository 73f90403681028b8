import { describe, expect, it } from 'vitest'
import type { SessionId } from '../id.ts'
import { firstCheck } from './check-progress.ts'
import { nextCheckProgress } from './next-check-progress.ts'

const sessionId = 'ses_2' as SessionId
const second = { ...firstCheck('ses_1' as SessionId), checkIndex: 1 }

describe('the progress of checks', () => {
  it('moves to the next check and keeps what is known about the others', () => {
    const progress = { ...second, suspects: [0], lost: 2 }
    expect(nextCheckProgress(progress, { type: 'check-next', sessionId })).toEqual({
      checkIndex: 2,
      sessionId,
      suspects: [0],
      lost: 2,
    })
  })

  it('starts over and remembers which check failed, or that a result was lost', () => {
    const failed = nextCheckProgress(second, { type: 'check-again', sessionId, why: 'failed' })
    expect(failed).toEqual({ checkIndex: 0, sessionId, suspects: [1], lost: 0 })
    const lost = nextCheckProgress(failed, { type: 'check-again', sessionId, why: 'lost' })
    expect(lost).toEqual({ checkIndex: 0, sessionId, suspects: [1], lost: 1 })
  })
})
