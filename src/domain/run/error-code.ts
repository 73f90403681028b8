import type { VisitTrouble } from '../playbook/playbook.ts'
import type { SessionEnd } from '../session/session-state.ts'

/** The codes under which a run reports what went wrong, for programs that read its result. */
export type ErrorCode = keyof typeof ERROR_CODES

export type ErrorCategory = 'agent' | 'workflow' | 'system' | 'external' | 'user'
export type ErrorSeverity = 'fatal' | 'error' | 'warning'

/**
 * How a code is answered. `retry`: again in the same conversation, or once there is quota. `restart`: the program is
 * started again, and gets its task again. `rollback`: the same, and the point of it is that the work starts from the
 * commit that the visit started from. `skip`: the outcome of the stage is `failed`, and the playbook says where that
 * leads. `substitute`: another agent of the role. `escalate`: a person is asked. `abort`: the run ends.
 */
export type Strategy = 'retry' | 'restart' | 'skip' | 'substitute' | 'rollback' | 'escalate' | 'abort'

export type ErrorRule = {
  readonly category: ErrorCategory
  readonly severity: ErrorSeverity
} /** `strategy`: instead of the one that the first action of the trouble stands for. */ & (
  | { readonly trouble: VisitTrouble; readonly strategy?: Strategy }
  /** It is no trouble of a visit, but it happens in runs. `means`: what becomes of it. */
  | { readonly strategy: Strategy; readonly means: string }
  /** Why no run can have it. */
  | { readonly never: string }
)

/** What each code means to a run: a trouble of a visit, which `recoveryFor` decides about, or something else. */
export const ERROR_CODES = {
  AGENT_SPAWN_FAILED: { category: 'agent', severity: 'error', trouble: 'unstartable' },
  AGENT_TIMEOUT: { category: 'agent', severity: 'error', trouble: 'timeout' },
  AGENT_CRASHED: { category: 'agent', severity: 'error', trouble: 'crashed' },
  AGENT_INVALID_OUTPUT: { category: 'agent', severity: 'warning', trouble: 'invalid' },
  AGENT_BLOCKED: {
    category: 'agent',
    severity: 'warning',
    strategy: 'escalate',
    means:
      'an agent that needs a permission, or whose program needs a log-in or an update, asks a person; the request expires, or the time of the run ends',
  },
  WORKFLOW_NOT_FOUND: {
    category: 'workflow',
    severity: 'fatal',
    never: 'the playbook is read before the run exists, and nothing starts without it',
  },
  WORKFLOW_TIMEOUT: {
    category: 'workflow',
    severity: 'error',
    strategy: 'abort',
    means: 'the run ends with the best work it has, as partial',
  },
  MAX_ITERATIONS: {
    category: 'workflow',
    severity: 'warning',
    strategy: 'skip',
    means: 'a limited route that was taken often enough leads to the target of its `then`',
  },
  STAGE_FAILED: {
    category: 'workflow',
    severity: 'error',
    strategy: 'skip',
    means: 'every stage has a route for the outcome `failed`, to another stage or to an end',
  },
  ROUTING_FAILED: {
    category: 'workflow',
    severity: 'error',
    never: 'validation requires a route for every outcome, and routing is a function of stored rows',
  },
  TMUX_NOT_FOUND: { category: 'system', severity: 'fatal', never: 'no agent of a run needs a terminal' },
  TMUX_SESSION_FAILED: {
    category: 'system',
    severity: 'error',
    never: 'no agent of a run has a terminal; a program that does not start is AGENT_SPAWN_FAILED',
  },
  GIT_WORKTREE_FAILED: {
    category: 'system',
    severity: 'error',
    trouble: 'unstartable',
    strategy: 'rollback',
  },
  PERMISSION_DENIED: {
    category: 'system',
    severity: 'fatal',
    never: 'the home is checked when the daemon starts, and the agents when the run starts',
  },
  DATABASE_ERROR: {
    category: 'system',
    severity: 'error',
    never: 'the transaction is repeated and its work stays queued, so the visit only waits',
  },
  FILESYSTEM_ERROR: { category: 'system', severity: 'error', trouble: 'uncollected', strategy: 'rollback' },
  RATE_LIMITED: { category: 'external', severity: 'warning', trouble: 'quota' },
  /** The name is historical: any program can report that its turn failed. */
  CLAUDE_API_ERROR: { category: 'external', severity: 'error', trouble: 'crashed' },
  NETWORK_ERROR: {
    category: 'external',
    severity: 'error',
    strategy: 'retry',
    means: 'the session is suspended and tries again by itself',
  },
  INVALID_ARGUMENT: {
    category: 'user',
    severity: 'error',
    never: 'inputs are checked before the run exists',
  },
  SESSION_EXISTS: {
    category: 'user',
    severity: 'error',
    never: 'Muster makes the ID of each run itself, and several runs may go on at once',
  },
  SESSION_NOT_FOUND: {
    category: 'user',
    severity: 'error',
    never: 'the command that names an unknown run is refused',
  },
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
