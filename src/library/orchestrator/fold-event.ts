import type { WireEvent } from '../../client/index.ts'
import type { AgentStatus, ManagedAgent, OrchestratorEvent } from './orchestrator-session.ts'

/** What an orchestrator knows from the events of its job so far. */
export type Followed = {
  readonly agents: ReadonlyMap<string, ManagedAgent>
  readonly stage?: string
}

export type Folded = { readonly followed: Followed; readonly events: readonly OrchestratorEvent[] }

/** Which role works in a stage of a run; empty if no agent does. */
type RoleOf = (runId: string, stage: string) => string

/** Applies one event of the job, and says it in the words of the class. */
export function foldEvent(followed: Followed, event: WireEvent, roleOf: RoleOf): Folded {
  switch (event.type) {
    case 'session_started':
      return started(followed, event)
    case 'session_ended':
      return { followed: withStatus(followed, event.data.role, 'terminated', event.at), events: [] }
    case 'stage_entered': {
      const { runId, stage } = event.data
      const role = roleOf(runId, stage)
      const moved = { type: 'stage_transition', from: followed.stage ?? '', to: stage } as const
      const working = role === '' ? [] : [{ type: 'agent_working', role, task: stage } as const]
      return { followed: { ...followed, stage }, events: [moved, ...working] }
    }
    case 'stage_ended':
      return ended(followed, event, roleOf(event.data.runId, event.data.stage))
    default:
      return { followed, events: [] }
  }
}

type Of<Type> = Extract<WireEvent, { readonly type: Type }>

function started(followed: Followed, { data, at, sessionId = '' }: Of<'session_started'>): Folded {
  const { role, agent } = data
  const before = followed.agents.get(role)
  const managed: ManagedAgent = {
    role,
    agent,
    sessionId,
    status: 'working',
    spawnedAt: at,
    lastActivityAt: at,
    messageCount: before?.messageCount ?? 0,
    errorCount: before?.errorCount ?? 0,
  }
  return {
    followed: { ...followed, agents: new Map([...followed.agents, [role, managed]]) },
    events: [
      { type: 'agent_spawned', role, sessionId },
      { type: 'agent_ready', role },
    ],
  }
}

function ended(followed: Followed, { data, at }: Of<'stage_ended'>, role: string): Folded {
  if (role === '') return { followed, events: [] }
  const { stage, outcome, problem } = data
  if (outcome === 'failed') {
    const error = problem ?? `${stage} failed`
    return {
      followed: withStatus(followed, role, 'error', at),
      events: [{ type: 'agent_error', role, error }],
    }
  }
  const summary = `${stage}: ${outcome}`
  return {
    followed: withStatus(followed, role, 'complete', at),
    events: [
      { type: 'agent_complete', role, summary },
      { type: 'message_routed', from: role, to: 'orchestrator', kind: outcome },
    ],
  }
}

function withStatus(followed: Followed, role: string, status: AgentStatus, at: string): Followed {
  const agent = followed.agents.get(role)
  if (agent === undefined) return followed
  const isOver = status === 'terminated' && (agent.status === 'complete' || agent.status === 'error')
  const changed: ManagedAgent = {
    ...agent,
    status: isOver ? agent.status : status,
    lastActivityAt: at,
    messageCount: agent.messageCount + (status === 'complete' ? 1 : 0),
    errorCount: agent.errorCount + (status === 'error' ? 1 : 0),
  }
  return { ...followed, agents: new Map([...followed.agents, [role, changed]]) }
}
