import { describe, expect, it } from 'vitest'
import { endingOf } from '../session/ending.ts'
import type { SessionEnd } from '../session/session-state.ts'
import { judgeAttempt } from './judge-attempt.ts'

describe('an ended attempt', () => {
  it('is accepted if it ended well and changed something', () => {
    expect(judgeAttempt({ end: { type: 'exited', code: 0 }, ending: 'done' }, true)).toEqual({
      type: 'accepted',
    })
  })

  it('is rejected if it changed nothing', () => {
    expect(judgeAttempt({ end: { type: 'exited', code: 0 }, ending: 'done' }, false)).toMatchObject({
      type: 'rejected',
    })
  })

  it.each([
    [{ type: 'exited', code: 2 }, 'code 2'],
    [{ type: 'signalled', signal: 9 }, 'signal 9'],
    [{ type: 'timed-out', afterMs: 1_800_000 }, '30 minutes'],
    [{ type: 'cancelled', reason: 'enough' }, 'enough'],
    [{ type: 'unstarted', reason: 'no such program' }, 'no such program'],
    [{ type: 'lost', reason: 'the machine slept' }, 'the machine slept'],
    [{ type: 'finished', turn: { type: 'failed', reason: 'no such model' } }, 'no such model'],
    [{ type: 'finished', turn: { type: 'refused', reason: 'not allowed' } }, 'not allowed'],
  ] as const)('is rejected for %j, whatever it changed, with the reason', (end, words) => {
    const verdict = judgeAttempt({ end, ending: endingOf(end, false) }, true)
    expect(verdict.type === 'rejected' && verdict.reason).toContain(words)
  })

  it.each([
    [{ type: 'exited', code: 2 }, 'agent-failed'],
    [{ type: 'timed-out', afterMs: 1_800_000 }, 'timed-out'],
    [{ type: 'unstarted', reason: 'no such program' }, 'unstarted'],
    [{ type: 'unprepared', command: 'npm ci', code: 1 }, 'setup-failed'],
  ] as const)('that failed by %j reports the kind of failure', (end, cause) => {
    expect(judgeAttempt({ end, ending: endingOf(end, false) }, true)).toMatchObject({ cause })
  })

  it('that failed quotes the last line of standard error and keeps the rest', () => {
    const judge = (end: SessionEnd, text: string) =>
      judgeAttempt({ end, ending: endingOf(end, false) }, true, { line: 'not found', text })
    expect(judge({ type: 'exited', code: 1 }, 'not found')).toEqual({
      type: 'rejected',
      cause: 'agent-failed',
      reason: 'the agent exited with code 1: not found',
    })
    const reason = 'setup command "npm ci" failed with status 127: not found'
    expect(judge({ type: 'unprepared', command: 'npm ci', code: 127 }, 'sh: 1:\nnot found')).toMatchObject({
      reason,
      detail: `${reason}\nsh: 1:\nnot found`,
    })
  })

  it('is accepted when its program reported that it is done', () => {
    const end = { type: 'finished', turn: { type: 'done', text: 'ready' } } as const
    expect(judgeAttempt({ end, ending: endingOf(end, true) }, true)).toEqual({ type: 'accepted' })
  })

  it('fails if a program with a protocol exits without reporting, even with code 0', () => {
    const end = { type: 'exited', code: 0 } as const
    const verdict = judgeAttempt({ end, ending: endingOf(end, true) }, true)
    expect(verdict.type === 'rejected' && verdict.reason).toContain('in the middle of its work')
  })
})
