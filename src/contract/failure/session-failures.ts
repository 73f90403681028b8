import type { SessionFailure } from './api-failure.ts'
import { type FailureTable, refusal } from './refusal.ts'

type NotAble = Extract<SessionFailure, { readonly type: 'session-not-able' }>

/** What a person calls the acts that a session's state may refuse. */
const ACTS: Readonly<Record<string, string>> = {
  stop: 'stopped',
  suspend: 'suspended',
  resume: 'resumed',
  message: 'spoken to',
  interrupt: 'interrupted',
  ask: 'asked',
}

const STATES: Readonly<Record<string, string>> = {
  starting: 'is only starting',
  running: 'is running',
  suspended: 'is suspended',
  terminating: 'is being stopped',
  terminated: 'is over',
}

export const sessionFailures: FailureTable<SessionFailure> = {
  'session-not-found': refusal(404, ({ sessionId }) => ({
    message: `There is no session ${sessionId}.`,
    next: 'muster list sessions',
  })),
  'session-not-able': refusal(409, (failure) => ({
    message: `Session ${failure.sessionId} ${STATES[failure.status] ?? failure.status}, so it cannot be ${ACTS[failure.wanted] ?? failure.wanted}.`,
    next: nextOf(failure),
  })),
  'session-not-spoken-to': refusal(422, ({ sessionId, provider }) => ({
    message: `Session ${sessionId} cannot be spoken to: its program (provider ${provider}) takes no words after its start, or has not told the name of its conversation yet.`,
    next: `muster logs ${sessionId}`,
  })),
  'no-predecessor': refusal(404, () => ({
    message: 'Nobody can be asked: no such session rests or is over with a conversation to go on with.',
    next: 'muster list sessions --resumable',
  })),
  'input-invalid': refusal(422, ({ problem }) => ({ message: `Invalid input: ${problem}.` })),
  'provider-unavailable': refusal(503, ({ provider, problem }) => ({
    message: `The provider ${provider} cannot be used now: ${problem}`,
    next: 'muster doctor',
  })),
}

/** What was probably wanted of a session in that state. */
function nextOf({ sessionId, status, wanted }: NotAble): string {
  const isOverAndWanted = status === 'terminated' && (wanted === 'message' || wanted === 'resume')
  if (isOverAndWanted) return `muster ask ${sessionId} "what you want to know"`
  if (status === 'suspended' && wanted !== 'suspend') return `muster resume ${sessionId}`
  if (status === 'running' && (wanted === 'resume' || wanted === 'ask')) {
    return `muster send ${sessionId} "what you want to say"`
  }
  return status === 'terminating' ? `muster kill ${sessionId}` : `muster show ${sessionId}`
}
