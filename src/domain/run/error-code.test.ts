import { describe, expect, it } from 'vitest'
import type { VisitTrouble } from '../playbook/playbook.ts'
import { answerTo } from './error-answer.ts'
import { codeOf, ERROR_CODES, type ErrorCode, type ErrorRule } from './error-code.ts'
import { RECOVERY_RULES } from './recovery-for.ts'
import { troubleOf } from './visit-trouble.ts'

const CODES = Object.keys(ERROR_CODES) as ErrorCode[]

describe('the error codes', () => {
  it.each([
    ['AGENT_SPAWN_FAILED', 'restart', 1, ['substitute', 'skip']],
    ['AGENT_TIMEOUT', 'retry', 1, ['restart', 'substitute', 'skip']],
    ['AGENT_CRASHED', 'restart', 2, ['substitute', 'skip']],
    ['AGENT_INVALID_OUTPUT', 'retry', 2, ['substitute', 'escalate', 'skip']],
    ['AGENT_BLOCKED', 'escalate', 1, []],
    ['WORKFLOW_TIMEOUT', 'abort', 1, []],
    ['MAX_ITERATIONS', 'skip', 1, []],
    ['STAGE_FAILED', 'skip', 1, []],
    ['GIT_WORKTREE_FAILED', 'rollback', 1, ['substitute', 'skip']],
    ['FILESYSTEM_ERROR', 'rollback', 2, ['skip']],
    ['RATE_LIMITED', 'retry', 5, ['substitute', 'skip']],
    ['CLAUDE_API_ERROR', 'restart', 2, ['substitute', 'skip']],
    ['NETWORK_ERROR', 'retry', 1, []],
  ] as const)('answer %s with %s, tried %d times, and then %j', (code, strategy, attempts, fallbacks) => {
    expect(answerTo(code)).toEqual({ strategy, attempts, fallbacks })
  })

  it('are 22, and those that no run can have say why', () => {
    expect(CODES).toHaveLength(22)
    const unanswered = CODES.filter((code) => answerTo(code) === undefined)
    expect(unanswered).toHaveLength(9)
    for (const code of unanswered) {
      const rule: ErrorRule = ERROR_CODES[code]
      expect('never' in rule ? rule.never : '', code).not.toBe('')
    }
  })

  it('report each trouble, and more exactly if more is known', () => {
    for (const trouble of Object.keys(RECOVERY_RULES) as VisitTrouble[]) {
      const rule: ErrorRule = ERROR_CODES[codeOf(trouble)]
      expect('trouble' in rule && rule.trouble).toBe(trouble)
    }
    const turn = { type: 'failed', reason: 'overloaded' } as const
    expect(codeOf('crashed', { type: 'finished', turn })).toBe('CLAUDE_API_ERROR')
    expect(codeOf('crashed', { type: 'signalled', signal: 9 })).toBe('AGENT_CRASHED')
    expect(codeOf('unstartable', { type: 'unstarted', reason: 'full', part: 'tree' })).toBe(
      'GIT_WORKTREE_FAILED',
    )
    expect(codeOf('unstartable', { type: 'unstarted', reason: 'gone' })).toBe('AGENT_SPAWN_FAILED')
  })
})

it.each([
  ['agent-failed', 'crashed'],
  ['timed-out', 'timeout'],
  ['nothing-changed', 'invalid'],
  ['refused', 'invalid'],
  ['unstarted', 'unstartable'],
  ['setup-failed', 'unstartable'],
  ['uncollected', 'uncollected'],
] as const)('an attempt that ended with %s puts its visit into the trouble %s', (cause, trouble) => {
  expect(troubleOf({ cause })).toBe(trouble)
})
