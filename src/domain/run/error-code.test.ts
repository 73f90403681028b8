import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { VisitTrouble } from '../playbook/playbook.ts'
import {
  codeOf,
  ERROR_CODES,
  type ErrorCode,
  type ErrorRule,
  isRecoverable,
  strategyOf,
} from './error-code.ts'
import { RECOVERY_ACTIONS } from './recovery-for.ts'
import { troubleOf } from './visit-trouble.ts'

const CODES = Object.keys(ERROR_CODES) as ErrorCode[]
const GUIDE = readFileSync(new URL('../../../docs/guides/playbooks.md', import.meta.url), 'utf8')

/** The rows of the guide that begin with an error code, without their explanation. */
const ROWS = GUIDE.split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, code = '']) => /^`[A-Z_]+`$/.test(code))
  .map((cells) => cells.slice(1, -2))

function rowOf(code: ErrorCode): readonly string[] {
  const rule: ErrorRule = ERROR_CODES[code]
  const isTrouble = 'trouble' in rule
  const strategies = isTrouble
    ? RECOVERY_ACTIONS[rule.trouble].map((action) => strategyOf(code, action))
    : [rule.strategy]
  const words = [code, rule.category, rule.severity, isTrouble ? rule.trouble : '', strategies.join(', ')]
  return words.map((word, index) => ((index === 0 || index === 3) && word !== '' ? `\`${word}\`` : word))
}

describe('the error codes', () => {
  it('are in the guide, with what is done about them', () => {
    expect(ROWS.filter((cells) => cells.length > 1)).toEqual(CODES.map(rowOf))
  })

  it('are listed in the guide separately if no run can have them', () => {
    const impossible = ROWS.filter((cells) => cells.length === 1).map(([code = '']) => code.slice(1, -1))
    expect(impossible.filter((code) => Object.hasOwn(ERROR_CODES, code))).toEqual([])
    expect(impossible.length + CODES.length).toBe(22)
  })

  it('are recoverable unless the run or the stage has ended', () => {
    expect(CODES.filter((code) => !isRecoverable(code))).toEqual([
      'WORKFLOW_TIMEOUT',
      'MAX_ITERATIONS',
      'STAGE_FAILED',
    ])
  })

  it('call a new start of the program a rollback if the point of it is the tree', () => {
    expect(strategyOf('AGENT_CRASHED', 'restart')).toBe('restart')
    expect(strategyOf('FILESYSTEM_ERROR', 'restart')).toBe('rollback')
    expect(strategyOf('FILESYSTEM_ERROR', 'give-up')).toBe('skip')
  })

  it('report each trouble, and more exactly if more is known', () => {
    for (const trouble of Object.keys(RECOVERY_ACTIONS) as VisitTrouble[]) {
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
