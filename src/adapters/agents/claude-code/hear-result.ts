import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import type { TurnOutcome } from '../../../domain/session/turn-outcome.ts'
import { storableText } from '../shared/storable-text.ts'
import type { ClaudeCodeState, Step } from './claude-code-state.ts'
import { type Fields, fieldsOf, textIn } from './json-fields.ts'
import { costIn, usageSince } from './usage-since.ts'
import { messageLine } from './written-lines.ts'

/** What begins a turn that nobody asked for, such as something that finished in the background. */
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

/** The end of a turn: tells what it used, how it ended, and says what had to wait for it. */
export function hearResult(state: ClaudeCodeState, fields: Fields): Step {
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
      // Nothing of a turn that is over waits for an answer any more.
      asked: [],
      resetsAt: undefined,
      givenUp: undefined,
    },
    events: [...usage, end],
    says: next === undefined ? [] : [messageLine(next)],
  }
}

function isOurs(fields: Fields): boolean {
  return !OWN_TURNS.has(fieldsOf(fields['origin'])['kind'])
}

/** From typed fields alone. `subtype` is "success" even for a login that was not accepted. */
function outcomeOf(state: ClaudeCodeState, fields: Fields): TurnOutcome {
  const { resetsAt } = state
  const wasStopped = state.turn === 'interrupting' && fields['subtype'] === 'error_during_execution'
  if (wasStopped) return stoppedOutcome(state)
  if (fields['stop_reason'] === 'refusal') return { type: 'refused', reason: reasonOf(fields) }
  if (fields['api_error_status'] === 429 || fields['api_error'] === 'usage_limit_reached') {
    return limited(reasonOf(fields), resetsAt)
  }
  if (fields['is_error'] === true || fields['subtype'] !== 'success') {
    return { type: 'failed', reason: reasonOf(fields) }
  }
  return { type: 'done', text: storableText(textIn(fields['result']) ?? '') }
}

function stoppedOutcome({ givenUp, resetsAt }: ClaudeCodeState): TurnOutcome {
  if (givenUp === undefined) return { type: 'interrupted' }
  if (givenUp.type === 'failed') return { type: 'failed', reason: givenUp.reason }
  // A time that was told outright says more than how long the program would have waited.
  if (resetsAt !== undefined || givenUp.resetsInMs === undefined) return limited(givenUp.reason, resetsAt)
  return { type: 'limited', reason: givenUp.reason, resetsInMs: givenUp.resetsInMs }
}

function limited(reason: string, resetsAt: string | undefined): TurnOutcome {
  return resetsAt === undefined ? { type: 'limited', reason } : { type: 'limited', reason, resetsAt }
}

function reasonOf(fields: Fields): string {
  const errors = Array.isArray(fields['errors']) ? fields['errors'].filter((error) => textIn(error)) : []
  const told = textIn(fields['result']) ?? textIn(errors.join('; ')) ?? textIn(fields['subtype'])
  return storableText(told ?? 'The program did not say why.')
}
