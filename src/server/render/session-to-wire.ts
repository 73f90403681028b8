import type { WireSession } from '../../contract/session.ts'
import type { Session } from '../../domain/session/session.ts'
import type { SessionState } from '../../domain/session/session-state.ts'
import { instantsToWire } from './instants-to-wire.ts'

export function sessionToWire(session: Session): WireSession {
  const { state, agentName, outOffset, errOffset, createdAt, deadline, endedAt, ...rest } = session
  return {
    ...rest,
    agent: agentName,
    outputBytes: outOffset,
    errorBytes: errOffset,
    status: state.type,
    ...stateFields(state),
    createdAt: createdAt.toISOString(),
    ...instantsToWire({ deadline, endedAt }),
  }
}

function stateFields(state: SessionState): Partial<WireSession> {
  if (state.type === 'running') return { pid: state.pid }
  if (state.type === 'terminating') return { end: state.why }
  return state.type === 'terminated' ? { end: state.end } : {}
}
