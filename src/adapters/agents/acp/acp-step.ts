import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import type { Spoken } from '../../../ports/dialogue.ts'
import { type AcpState, storedAcpState } from './acp-state.ts'

/** A conversation between two states, with the events and lines so far. */
export type AcpStep = {
  readonly state: AcpState
  readonly events: readonly AgentEvent[]
  readonly says: readonly string[]
}

export function stepFrom(state: AcpState): AcpStep {
  return { state, events: [], says: [] }
}

export function changed(step: AcpStep, change: Partial<AcpState>): AcpStep {
  return { ...step, state: { ...step.state, ...change } }
}

export function learnt(step: AcpStep, ...events: readonly AgentEvent[]): AcpStep {
  return { ...step, events: [...step.events, ...events] }
}

/** Sends a request and remembers its id. At most one request waits for an answer. */
export function asked(step: AcpStep, method: string, params: object): AcpStep {
  const id = step.state.lastId + 1
  return changed(written(step, { jsonrpc: '2.0', id, method, params }), { lastId: id, awaited: id })
}

export function notified(step: AcpStep, method: string, params: object): AcpStep {
  return written(step, { jsonrpc: '2.0', method, params })
}

export function answered(step: AcpStep, id: string | number, result: object): AcpStep {
  return written(step, { jsonrpc: '2.0', id, result })
}

export function refused(step: AcpStep, id: string | number, code: number, message: string): AcpStep {
  return written(step, { jsonrpc: '2.0', id, error: { code, message } })
}

export function spokenOf(step: AcpStep): Spoken {
  return { state: storedAcpState(step.state), events: step.events, says: step.says }
}

function written(step: AcpStep, message: object): AcpStep {
  return { ...step, says: [...step.says, JSON.stringify(message)] }
}
