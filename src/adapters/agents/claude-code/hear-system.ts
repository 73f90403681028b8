import { storableText } from '../shared/storable-text.ts'
import { type ClaudeCodeState, quiet, type Step } from './claude-code-state.ts'
import { countIn, type Fields, fieldsOf, textIn } from './json-fields.ts'
import { interruptLine } from './written-lines.ts'

/** Longer names of a conversation or a model are none. */
const MAX_NAME = 200
/** A burst passes while the program tries again; a limit that outlasts this is one that people wait for. */
const LIMIT_PATIENCE = { attempts: 3, delayMs: 30_000 } as const
/** The first refusal may only mean that a login had to be refreshed. */
const LOGIN_PATIENCE_ATTEMPTS = 1
/** Seconds of the year 9999: beyond there is no ISO time. */
const LAST_SECOND = 253_402_300_799

export function hearSystem(state: ClaudeCodeState, fields: Fields): Step {
  switch (fields['subtype']) {
    case 'init':
      return hearInit(state, fields)
    case 'api_retry':
      return hearRetry(state, fields)
    default:
      return quiet(state)
  }
}

/** Told at the start of every turn; of interest when it changed. */
function hearInit(state: ClaudeCodeState, fields: Fields): Step {
  const sessionId = nameIn(fields['session_id'])
  if (sessionId === undefined) return quiet(state)
  const model = nameIn(fields['model'])
  if (sessionId === state.sessionId && model === state.model) return quiet(state)
  const isOther = state.sessionId !== undefined && sessionId !== state.sessionId
  // A conversation that was begun anew in the same process counts from zero again.
  const costUsd = isOther ? 0 : state.costUsd
  return {
    state: { ...state, sessionId, model, costUsd },
    events: [{ type: 'session', providerSessionId: sessionId, ...(model === undefined ? {} : { model }) }],
    says: [],
  }
}

/** The program tries the same request for minutes. What will not pass soon is worth more told than waited for. */
function hearRetry(state: ClaudeCodeState, fields: Fields): Step {
  const givenUp = reasonToGiveUp(fields)
  if (givenUp === undefined || state.turn !== 'running') return quiet(state)
  const interrupts = state.interrupts + 1
  return {
    state: { ...state, turn: 'interrupting', givenUp, interrupts },
    events: [],
    says: [interruptLine(interrupts)],
  }
}

function reasonToGiveUp(fields: Fields): ClaudeCodeState['givenUp'] {
  const attempt = countIn(fields['attempt'])
  const status = fields['error_status']
  if (status === 429) {
    const delayMs = fields['retry_delay_ms']
    const isLong = typeof delayMs === 'number' && delayMs > LIMIT_PATIENCE.delayMs
    if (!isLong && attempt <= LIMIT_PATIENCE.attempts) return undefined
    const reason = "The model's service answers that there are too many requests (429)."
    return { type: 'limited', reason, ...(isLong ? { resetsInMs: delayMs } : {}) }
  }
  if (status !== 401 && status !== 403) return undefined
  if (attempt <= LOGIN_PATIENCE_ATTEMPTS) return undefined
  return { type: 'failed', reason: `The model's service does not accept the login (${status}).` }
}

/** Only a rejection matters: warnings come long before anything is refused. */
export function hearRateLimit(state: ClaudeCodeState, fields: Fields): Step {
  const limit = fieldsOf(fields['rate_limit_info'])
  if (limit['status'] !== 'rejected') return quiet(state)
  return quiet({ ...state, resetsAt: timeOf(limit['resetsAt']) })
}

function timeOf(seconds: unknown): string | undefined {
  const isTime = typeof seconds === 'number' && seconds > 0 && seconds <= LAST_SECOND
  return isTime ? new Date(seconds * 1000).toISOString() : undefined
}

function nameIn(value: unknown): string | undefined {
  const name = textIn(value)
  return name === undefined || name.length > MAX_NAME ? undefined : storableText(name)
}
