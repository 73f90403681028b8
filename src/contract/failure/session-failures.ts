import { describeMessageFailure } from '../../domain/message/message-failure.ts'
import type { SessionFailure } from './api-failure.ts'
import { type FailureTable, refusal } from './refusal.ts'

type NotAble = Extract<SessionFailure, { readonly type: 'session-not-able' }>

/** The participle for each command that a session's state may reject. */
const PARTICIPLES: Readonly<Record<string, string>> = {
  stop: 'stopped',
  suspend: 'suspended',
  resume: 'resumed',
  message: 'sent a message',
  interrupt: 'interrupted',
  ask: 'asked',
}

const STATES: Readonly<Record<string, string>> = {
  waiting: 'is waiting to start',
  starting: 'is still starting',
  running: 'is running',
  suspended: 'is suspended',
  terminating: 'is being stopped',
  terminated: 'has ended',
}

export const sessionFailures: FailureTable<SessionFailure> = {
  'session-not-found': refusal(404, ({ sessionId }) => ({
    message: `There is no session ${sessionId}.`,
    next: 'muster list sessions',
  })),
  'session-not-able': refusal(409, (failure) => ({
    message: `Session ${failure.sessionId} ${whyNot(failure)}.`,
    next: nextOf(failure),
  })),
  'session-not-spoken-to': refusal(422, ({ sessionId, provider }) => ({
    message: `Session ${sessionId} cannot receive messages: its program (provider ${provider}) reads no input after it starts, or its conversation has no ID yet.`,
    next: `muster logs ${sessionId}`,
  })),
  'no-predecessor': refusal(404, () => ({
    message: 'No suspended or finished session with a conversation matches.',
    next: 'muster list sessions --askable',
  })),
  'tool-not-allowed': refusal(403, (failure) => ({
    message: `Not allowed: ${describeMessageFailure(failure)}.`,
  })),
  'input-invalid': refusal(422, ({ problem }) => ({ message: `Invalid input: ${problem}.` })),
  'provider-unavailable': refusal(503, ({ provider, problem }) => ({
    message: `The provider ${provider} is not available: ${problem}`,
    next: 'muster doctor',
  })),
}

function whyNot({ status, wanted }: NotAble): string {
  if (wanted === 'stop' && status === 'terminating') return 'is already being stopped'
  if (wanted === 'suspend' && status === 'suspended') return 'is already suspended'
  return `${STATES[status] ?? `is ${status}`}, so it cannot be ${PARTICIPLES[wanted] ?? wanted}`
}

/** The command the person probably needs, given the session's state. */
function nextOf({ sessionId, status, wanted }: NotAble): string {
  const shouldAsk = status === 'terminated' && (wanted === 'message' || wanted === 'resume')
  if (shouldAsk) return `muster ask ${sessionId} "your question"`
  if (status === 'suspended' && wanted !== 'suspend') return `muster resume ${sessionId}`
  if (status === 'running' && (wanted === 'resume' || wanted === 'ask')) {
    return `muster send ${sessionId} "your message"`
  }
  return status === 'terminating' ? `muster kill ${sessionId}` : `muster show ${sessionId}`
}
