import type { Session } from '../session/session.ts'
import type { AgentEvent } from './agent-event.ts'
import type { EventPlace } from './event-place.ts'
import { builderOf } from './new-event.ts'

export type AgentMessageEvents = {
  readonly agent_message: AgentEvent & {
    readonly agent: string
    readonly role: string
    /** The line was too long for one event: this is a part of it. */
    readonly isPiece?: boolean | undefined
  }
}

const event = builderOf<AgentMessageEvents>()

/** The caller passes `place` because it is the same for thousands of lines. */
export function agentMessage(place: EventPlace, session: Session, said: AgentEvent, isPiece: boolean) {
  const { agentName: agent, role } = session
  return event('agent_message', place, { ...said, agent, role, ...(isPiece ? { isPiece } : undefined) })
}
