import type { AgentSpec } from '../../../domain/agent/agent-spec.ts'
import type { JobId, SessionId } from '../../../domain/id.ts'
import { NO_CONVERSATION } from '../../../domain/session/conversation-state.ts'
import type { Session, SessionMode } from '../../../domain/session/session.ts'
import type { SessionPurpose } from '../../../domain/session/session-purpose.ts'
import type { EngineNeeds } from '../../engine-needs.ts'

export type SessionRequest = {
  readonly id: SessionId
  readonly jobId?: JobId
  readonly purpose: SessionPurpose
  readonly agent: Pick<AgentSpec, 'name' | 'provider'>
  readonly role: string
  readonly admittedAs?: string | undefined
  readonly mode?: SessionMode
}

/** A session whose program hasn't started yet. */
export function newSession(needs: Pick<EngineNeeds, 'clock'>, request: SessionRequest): Session {
  const { id, jobId, purpose, agent, role, admittedAs, mode } = request
  return {
    id,
    ...(jobId === undefined ? {} : { jobId }),
    purpose,
    agentName: agent.name,
    provider: agent.provider,
    role,
    ...(admittedAs === undefined ? {} : { admittedAs }),
    mode: mode ?? 'headless',
    state: { type: 'starting' },
    processNumber: 1,
    outOffset: 0,
    errOffset: 0,
    conversation: NO_CONVERSATION,
    version: 1,
    createdAt: needs.clock.now(),
  }
}
