import type { VisitTrouble } from '../playbook/playbook.ts'

/** The codes under which a run reports what went wrong, for programs that read its result. */
export type ErrorCode = keyof typeof ERROR_CODES

type ErrorRule = {
  readonly category: 'agent' | 'workflow' | 'system' | 'external' | 'user'
  readonly severity: 'fatal' | 'error' | 'warning'
} & (
  | { readonly trouble: VisitTrouble }
  /** It is no trouble of a visit: what becomes of it instead. */
  | { readonly elsewhere: string }
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
    elsewhere: 'an agent that needs a permission or an answer waits for it, and the request expires in time',
  },
  WORKFLOW_NOT_FOUND: {
    category: 'workflow',
    severity: 'fatal',
    elsewhere: 'the playbook is read before the run exists, and nothing starts without it',
  },
  WORKFLOW_TIMEOUT: {
    category: 'workflow',
    severity: 'error',
    elsewhere: 'the run ends with the best work it has, as partial',
  },
  MAX_ITERATIONS: {
    category: 'workflow',
    severity: 'warning',
    elsewhere: 'a limited route that was taken often enough leads to the target of its `then`',
  },
  STAGE_FAILED: {
    category: 'workflow',
    severity: 'error',
    elsewhere: 'every stage has a route for the outcome `failed`, to another stage or to an end',
  },
  ROUTING_FAILED: {
    category: 'workflow',
    severity: 'error',
    elsewhere: 'validation requires a route for every outcome, and routing is a function of stored rows',
  },
  TMUX_NOT_FOUND: {
    category: 'system',
    severity: 'fatal',
    elsewhere: 'no agent of a run needs a terminal',
  },
  TMUX_SESSION_FAILED: { category: 'system', severity: 'error', trouble: 'unstartable' },
  GIT_WORKTREE_FAILED: { category: 'system', severity: 'error', trouble: 'unstartable' },
  PERMISSION_DENIED: {
    category: 'system',
    severity: 'fatal',
    elsewhere: 'the home is checked when the daemon starts, and the agents when the run starts',
  },
  DATABASE_ERROR: {
    category: 'system',
    severity: 'error',
    elsewhere: 'the transaction is repeated and its work stays queued, so the visit only waits',
  },
  FILESYSTEM_ERROR: { category: 'system', severity: 'error', trouble: 'uncollected' },
  RATE_LIMITED: { category: 'external', severity: 'warning', trouble: 'quota' },
  CLAUDE_API_ERROR: { category: 'external', severity: 'error', trouble: 'crashed' },
  NETWORK_ERROR: {
    category: 'external',
    severity: 'error',
    elsewhere: 'the session is suspended and tries again by itself',
  },
  INVALID_ARGUMENT: {
    category: 'user',
    severity: 'error',
    elsewhere: 'inputs are checked before the run exists',
  },
  SESSION_EXISTS: {
    category: 'user',
    severity: 'error',
    elsewhere: 'Muster makes the ID of each run itself, and several runs may go on at once',
  },
  SESSION_NOT_FOUND: {
    category: 'user',
    severity: 'error',
    elsewhere: 'the command that names an unknown run is refused',
  },
} as const satisfies Readonly<Record<string, ErrorRule>>

/** The code that reports a trouble of a visit. */
export const CODE_OF_TROUBLE = {
  crashed: 'AGENT_CRASHED',
  timeout: 'AGENT_TIMEOUT',
  invalid: 'AGENT_INVALID_OUTPUT',
  quota: 'RATE_LIMITED',
  unstartable: 'AGENT_SPAWN_FAILED',
  uncollected: 'FILESYSTEM_ERROR',
} as const satisfies Readonly<Record<VisitTrouble, ErrorCode>>

/** The trouble of a visit that a code means; undefined if it is none. */
export function troubleOfCode(code: ErrorCode): VisitTrouble | undefined {
  const rule: ErrorRule = ERROR_CODES[code]
  return 'trouble' in rule ? rule.trouble : undefined
}
