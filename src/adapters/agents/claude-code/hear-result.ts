import type { Unready } from '../../../domain/agent/unready.ts'
import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import type { TurnOutcome } from '../../../domain/session/turn-outcome.ts'
import { storableText } from '../shared/storable-text.ts'
import { loginRefused, notLoggedIn, unreachable } from '../shared/unready-program.ts'
import { CLAUDE_CODE } from './claude-code-launch.ts'
import type { ClaudeCodeState, Step } from './claude-code-state.ts'
import { windowIn } from './context-window.ts'
import { type Fields, fieldsOf, textIn } from './json-fields.ts'
import { costIn, usageSince } from './usage-since.ts'
import { messageLine } from './written-lines.ts'

/** Origins of turns that the program starts by itself, for example when a background task finishes. */
const OWN_TURNS: ReadonlySet<unknown> = new Set([
  'task-notification',
  'auto-continuation',
  'scheduled',
  'scheduled-trigger',
  'cron',
  'loop',
  'peer',
  'coordinator',
  'channel',
])

/** The end of a turn: reports usage and outcome, and sends the next waiting message. */
export function hearResult(before: ClaudeCodeState, fields: Fields): Step {
  const state = { ...before, window: windowIn(before, fieldsOf(fields['modelUsage'])) }
  const used = usageSince(state, fields)
  const usage = used === undefined ? [] : [used]
  const counted = { ...state, costUsd: costIn(fields['total_cost_usd']) }
  if (state.turn === 'idle' || !isOurs(fields)) return { state: counted, events: usage, says: [] }
  const end: AgentEvent = { type: 'turn-end', outcome: outcomeOf(state, fields) }
  const [next, ...waiting] = state.waiting
  return {
    state: {
      ...counted,
      turn: next === undefined ? 'idle' : 'running',
      waiting,
      // The program no longer waits for answers from a finished turn.
      asked: [],
      resetsAt: undefined,
      isLoginRefused: undefined,
      givenUp: undefined,
    },
    events: [...usage, end],
    says: next === undefined ? [] : [messageLine(next)],
  }
}

function isOurs(fields: Fields): boolean {
  return !OWN_TURNS.has(fieldsOf(fields['origin'])['kind'])
}

/** Decides from typed fields only. `subtype` is "success" even for a rejected login. */
function outcomeOf(state: ClaudeCodeState, fields: Fields): TurnOutcome {
  const { resetsAt } = state
  const wasStopped = state.turn === 'interrupting' && fields['subtype'] === 'error_during_execution'
  if (wasStopped) return stoppedOutcome(state)
  if (fields['stop_reason'] === 'refusal') return { type: 'refused', reason: reasonOf(fields) }
  if (fields['api_error_status'] === 429 || fields['api_error'] === 'usage_limit_reached') {
    return limited(reasonOf(fields), resetsAt)
  }
  const refused = refusedStatus(state, fields)
  if (refused !== undefined) return { type: 'unready', ...loginRefusal(refused) }
  if (fields['is_error'] === true || fields['subtype'] !== 'success') {
    return { type: 'failed', reason: reasonOf(fields) }
  }
  return { type: 'done', text: storableText(textIn(fields['result']) ?? '') }
}

function stoppedOutcome({ givenUp, resetsAt }: ClaudeCodeState): TurnOutcome {
  if (givenUp === undefined) return { type: 'interrupted' }
  if (givenUp.type === 'network') return { type: 'unready', ...unreachable(CLAUDE_CODE) }
  if (givenUp.type === 'login')
    return { type: 'unready', ...loginRefused(CLAUDE_CODE, { status: givenUp.status }) }
  // A reported reset time is more precise than the program's own waiting time.
  if (resetsAt !== undefined || givenUp.resetsInMs === undefined) return limited(givenUp.reason, resetsAt)
  return { type: 'limited', reason: givenUp.reason, resetsInMs: givenUp.resetsInMs }
}

/** The status of a rejected log-in, or `none` if the program has no log-in to send. */
function refusedStatus(state: ClaudeCodeState, fields: Fields): number | 'none' | undefined {
  const status = fields['api_error_status']
  if (status === 401 || status === 403) return status
  const hasFailed = fields['is_error'] === true && state.isLoginRefused === true
  return hasFailed ? 'none' : undefined
}

function loginRefusal(status: number | 'none'): Unready {
  return status === 'none' ? notLoggedIn(CLAUDE_CODE) : loginRefused(CLAUDE_CODE, { status })
}

function limited(reason: string, resetsAt: string | undefined): TurnOutcome {
  return resetsAt === undefined ? { type: 'limited', reason } : { type: 'limited', reason, resetsAt }
}

function reasonOf(fields: Fields): string {
  const errors = Array.isArray(fields['errors']) ? fields['errors'].filter((error) => textIn(error)) : []
  const reported = textIn(fields['result']) ?? textIn(errors.join('; ')) ?? textIn(fields['subtype'])
  return storableText(reported ?? 'The program gave no reason.')
}
