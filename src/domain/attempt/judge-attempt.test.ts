import { describe, expect, it } from 'vitest'
import { judgeAttempt } from './judge-attempt.ts'

describe('an ended attempt', () => {
  it('is worth checking if it ended well and changed something', () => {
    expect(judgeAttempt({ type: 'exited', code: 0 }, 1)).toEqual({ type: 'accepted' })
  })

  it('is not believed if it changed nothing', () => {
    expect(judgeAttempt({ type: 'exited', code: 0 }, 0)).toMatchObject({ type: 'rejected' })
  })

  it.each([
    [{ type: 'exited', code: 2 }, 'code 2'],
    [{ type: 'signalled', signal: 9 }, 'signal 9'],
    [{ type: 'timed-out', afterMs: 1_800_000 }, '30 minutes'],
    [{ type: 'cancelled', reason: 'enough' }, 'enough'],
    [{ type: 'unstarted', reason: 'no such program' }, 'no such program'],
    [{ type: 'lost', reason: 'the machine slept' }, 'the machine slept'],
  ] as const)('has failed by %j, whatever it changed, and says so', (end, words) => {
    const verdict = judgeAttempt(end, 5)
    expect(verdict.type === 'rejected' && verdict.reason).toContain(words)
  })
})
