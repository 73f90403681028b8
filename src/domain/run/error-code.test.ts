import { describe, expect, it } from 'vitest'
import { CODE_OF_TROUBLE, ERROR_CODES, type ErrorCode, troubleOfCode } from './error-code.ts'
import { RECOVERY_RULES } from './recovery-for.ts'
import { troubleOf } from './visit-trouble.ts'

const CODES = Object.keys(ERROR_CODES) as ErrorCode[]

describe('the error codes', () => {
  it('are 22, and each is a trouble of a visit or says what becomes of it', () => {
    expect(CODES).toHaveLength(22)
    for (const code of CODES) {
      const rule: object = ERROR_CODES[code]
      expect('trouble' in rule, code).not.toBe('elsewhere' in rule)
    }
  })

  it.each([
    ['AGENT_SPAWN_FAILED', 'unstartable'],
    ['AGENT_TIMEOUT', 'timeout'],
    ['AGENT_CRASHED', 'crashed'],
    ['AGENT_INVALID_OUTPUT', 'invalid'],
    ['TMUX_SESSION_FAILED', 'unstartable'],
    ['GIT_WORKTREE_FAILED', 'unstartable'],
    ['FILESYSTEM_ERROR', 'uncollected'],
    ['RATE_LIMITED', 'quota'],
    ['CLAUDE_API_ERROR', 'crashed'],
  ] as const)('treat %s as %s', (code, trouble) => {
    expect(troubleOfCode(code)).toBe(trouble)
  })

  it('report each trouble under a code that means it', () => {
    for (const [trouble, code] of Object.entries(CODE_OF_TROUBLE)) expect(troubleOfCode(code)).toBe(trouble)
    expect(Object.keys(CODE_OF_TROUBLE)).toEqual(Object.keys(RECOVERY_RULES))
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
