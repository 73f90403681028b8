import { storableText } from '../shared/storable-text.ts'
import { type ClaudeCodeState, quiet, type Step } from './claude-code-state.ts'
import { countIn, type Fields, fieldsOf, textIn } from './json-fields.ts'
import { interruptLine } from './written-lines.ts'

/** Longer names are ignored. */
const MAX_NAME = 200
/** A short burst passes while the program retries. A limit that lasts longer than this ends the turn. */
const LIMIT_PATIENCE = { attempts: 3, delayMs: 30_000 } as const
/** The first rejection may only mean that the login had to be refreshed. */
const LOGIN_PATIENCE_ATTEMPTS = 1
/** A short outage passes: this many attempts take about twenty seconds. */
const NETWORK_PATIENCE_ATTEMPTS = 5
/** The end of the year 9999 in seconds. ISO times can't represent later ones. */
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

/** Sent at the start of every turn, and reported only if something changed. */
function hearInit(state: ClaudeCodeState, fields: Fields): Step {
  const sessionId = nameIn(fields['session_id'])
  if (sessionId === undefined) return quiet(state)
  const model = nameIn(fields['model'])
  if (sessionId === state.sessionId && model === state.model) return quiet(state)
  const isOther = state.sessionId !== undefined && sessionId !== state.sessionId
  // A new conversation in the same process starts at zero cost.
  const costUsd = isOther ? 0 : state.costUsd
  return {
    state: { ...state, sessionId, model, costUsd },
    events: [{ type: 'session', providerSessionId: sessionId, ...(model === undefined ? {} : { model }) }],
    says: [],
  }
}

/** The program retries a request for minutes. If that is unlikely to help soon, we interrupt and report the reason. */
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
    const reason = "The model's service reports too many requests (429)."
    return { type: 'limited', reason, ...(isLong ? { resetsInMs: delayMs } : {}) }
  }
  // Without a status, no answer came at all.
  if (status === null && attempt > NETWORK_PATIENCE_ATTEMPTS) return { type: 'network', reason: '' }
  if (status !== 401 && status !== 403) return undefined
  if (attempt <= LOGIN_PATIENCE_ATTEMPTS) return undefined
  return { type: 'login', reason: '', status }
}

/** Only a rejection matters. Warnings come long before a request is rejected. */
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
