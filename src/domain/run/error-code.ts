import type { VisitTrouble } from '../playbook/playbook.ts'
import type { SessionEnd } from '../session/session-state.ts'
import type { TroubleAction } from './trouble-action.ts'

/** The codes under which a run reports what went wrong, for programs that read its result. */
export type ErrorCode = keyof typeof ERROR_CODES

export type ErrorCategory = 'agent' | 'workflow' | 'system' | 'external' | 'user'
export type ErrorSeverity = 'fatal' | 'error' | 'warning'

/**
 * How errors are answered. `retry`: again in the same conversation, or after a wait. `restart`: the program is started
 * again, and gets its task again. `rollback`: the same, and the point of it is that the work starts from the commit that
 * the visit started from. `skip`: the outcome of the stage is `failed`, and the playbook says where that leads.
 * `substitute`: another agent of the role. `escalate`: a person is asked. `abort`: the run ends.
 */
export const STRATEGIES = ['retry', 'restart', 'skip', 'substitute', 'rollback', 'escalate', 'abort'] as const
export type Strategy = (typeof STRATEGIES)[number]

export type ErrorRule = {
  readonly category: ErrorCategory
  readonly severity: ErrorSeverity
} & (
  | {
      /** What `recoveryFor` decides about. */
      readonly trouble: VisitTrouble
      /** What starting the program again amounts to, if the point of it isn't the program. */
      readonly restart?: 'rollback'
    }
  /** The only answer to something that is no trouble of a visit. */
  | { readonly strategy: Strategy }
)

/** The guide to playbooks explains each code, and names the codes that no run can have. */
export const ERROR_CODES = {
  AGENT_SPAWN_FAILED: { category: 'agent', severity: 'error', trouble: 'unstartable' },
  AGENT_TIMEOUT: { category: 'agent', severity: 'error', trouble: 'timeout' },
  AGENT_CRASHED: { category: 'agent', severity: 'error', trouble: 'crashed' },
  AGENT_INVALID_OUTPUT: { category: 'agent', severity: 'warning', trouble: 'invalid' },
  AGENT_BLOCKED: { category: 'agent', severity: 'warning', strategy: 'escalate' },
  WORKFLOW_TIMEOUT: { category: 'workflow', severity: 'error', strategy: 'abort' },
  MAX_ITERATIONS: { category: 'workflow', severity: 'warning', strategy: 'skip' },
  STAGE_FAILED: { category: 'workflow', severity: 'error', strategy: 'skip' },
  GIT_WORKTREE_FAILED: {
    category: 'system',
    severity: 'error',
    trouble: 'unstartable',
    restart: 'rollback',
  },
  FILESYSTEM_ERROR: { category: 'system', severity: 'error', trouble: 'uncollected', restart: 'rollback' },
  RATE_LIMITED: { category: 'external', severity: 'warning', trouble: 'quota' },
  /** The name is historical: any program can report that its turn failed. */
  CLAUDE_API_ERROR: { category: 'external', severity: 'error', trouble: 'crashed' },
  NETWORK_ERROR: { category: 'external', severity: 'error', strategy: 'retry' },
} as const satisfies Readonly<Record<string, ErrorRule>>

/** What reports a trouble of a visit, unless something more is known about it. */
const CODE_OF_TROUBLE = {
  crashed: 'AGENT_CRASHED',
  timeout: 'AGENT_TIMEOUT',
  invalid: 'AGENT_INVALID_OUTPUT',
  quota: 'RATE_LIMITED',
  unstartable: 'AGENT_SPAWN_FAILED',
  uncollected: 'FILESYSTEM_ERROR',
} as const satisfies Readonly<Record<VisitTrouble, ErrorCode>>

/** The code that reports a trouble of a visit whose session ended like this. */
export function codeOf(trouble: VisitTrouble, end?: SessionEnd): ErrorCode {
  if (trouble === 'crashed' && end?.type === 'finished') return 'CLAUDE_API_ERROR'
  if (trouble === 'unstartable' && end?.type === 'unstarted' && end.part === 'tree')
    return 'GIT_WORKTREE_FAILED'
  return CODE_OF_TROUBLE[trouble]
}

const STRATEGY_OF = {
  'ask-again': 'retry',
  nudge: 'retry',
  park: 'retry',
  wait: 'retry',
  restart: 'restart',
  'begin-anew': 'restart',
  substitute: 'substitute',
  escalate: 'escalate',
  abort: 'abort',
  'give-up': 'skip',
  skip: 'skip',
} as const satisfies Readonly<Record<TroubleAction | 'skip', Strategy>>

/** The strategy that an action about an error stands for. */
export function strategyOf(code: ErrorCode, action: TroubleAction | 'skip'): Strategy {
  const rule: ErrorRule = ERROR_CODES[code]
  return action === 'restart' && 'restart' in rule ? rule.restart : STRATEGY_OF[action]
}

/** Whether the stage can still succeed after such an error: Muster tries something, or asks a person. */
export function isRecoverable(code: ErrorCode): boolean {
  const rule: ErrorRule = ERROR_CODES[code]
  return 'trouble' in rule || rule.strategy === 'retry' || rule.strategy === 'escalate'
}
