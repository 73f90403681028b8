import type { WireSession } from '../../contract/session.ts'
import { assertNever } from '../../domain/assert-never.ts'
import { endingOf } from '../../domain/session/ending.ts'
import type { Containment } from '../../domain/session/sandbox-policy.ts'
import type { Session } from '../../domain/session/session.ts'
import type { SessionPurpose } from '../../domain/session/session-purpose.ts'
import type { Suspension } from '../../domain/session/session-state.ts'
import type { Talk } from '../../domain/session/talk.ts'
import type { SessionView } from '../../engine/queries/sessions.ts'
import { instantsToWire } from './instants-to-wire.ts'
import { startWaitToWire } from './start-wait-to-wire.ts'

export function sessionToWire({ session, taskId }: SessionView): WireSession {
  const { id, jobId, provider, role, mode, life, containment, version, createdAt } = session
  const { startedAt, deadline, endedAt } = session
  return {
    id,
    ...(jobId === undefined ? {} : { jobId }),
    ...(taskId === undefined ? {} : { taskId }),
    purpose: purposeToWire(session.purpose),
    agent: session.agentName,
    provider,
    role,
    mode,
    status: session.state.type,
    life,
    ...stateFields(session),
    ...talkFields(session.talk),
    ...(containment === undefined ? {} : { sandbox: sandboxOf(containment) }),
    outputBytes: session.outOffset,
    errorBytes: session.errOffset,
    version,
    createdAt: createdAt.toISOString(),
    ...instantsToWire({ startedAt, deadline, endedAt }),
  }
}

/** Without what is only there to start it with, some of which is secret. */
function purposeToWire(purpose: SessionPurpose): WireSession['purpose'] {
  switch (purpose.type) {
    case 'attempt':
      return purpose
    case 'check':
      return { type: purpose.type, candidateId: purpose.candidateId, index: purpose.index }
    case 'personal': {
      const { type, projectId, repositoryPath, branch, baseCommit } = purpose
      return { type, projectId, repositoryPath, branch, baseCommit }
    }
    case 'query':
      return { type: purpose.type, of: purpose.of, question: purpose.question }
    default:
      return assertNever(purpose)
  }
}

function stateFields({ state, talk }: Session): Partial<WireSession> {
  switch (state.type) {
    case 'waiting':
      return { waiting: startWaitToWire(state) }
    case 'starting':
      return {}
    case 'running':
      return { pid: state.pid }
    case 'suspended':
      return {
        suspended: {
          ...whyFields(state.why),
          isOver: state.isOver,
          isResuming: state.resume !== undefined,
        },
      }
    case 'terminating':
      return { end: state.why }
    case 'terminated':
      return { end: state.end, ending: endingOf(state.end, talk.dialogue !== undefined) }
    default:
      return assertNever(state)
  }
}

function whyFields(why: Suspension) {
  const { type, reason } = why
  return type === 'limited' ? { why: type, reason, until: why.until } : { why: type, reason }
}

function talkFields(talk: Talk) {
  const { providerSessionId, turn, openTurns, usage, contextTokens, contextWindow } = talk
  return {
    openTurns,
    usage,
    resumable: providerSessionId !== undefined,
    ...(providerSessionId === undefined ? {} : { providerSessionId }),
    ...(turn === undefined ? {} : { turn }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
  }
}

function sandboxOf(containment: Containment): WireSession['sandbox'] {
  return containment === 'process-group' ? 'none' : containment
}
