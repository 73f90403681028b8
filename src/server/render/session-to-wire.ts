import type { WireSession } from '../../contract/session.ts'
import { assertNever } from '../../domain/assert-never.ts'
import type { ConversationState } from '../../domain/session/conversation-state.ts'
import { endingOf } from '../../domain/session/ending.ts'
import type { Containment } from '../../domain/session/sandbox-policy.ts'
import type { Session } from '../../domain/session/session.ts'
import { canBeAsked, canResume } from '../../domain/session/session-abilities.ts'
import type { SessionPurpose } from '../../domain/session/session-purpose.ts'
import type { Suspension } from '../../domain/session/session-state.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { SessionView } from '../../engine/queries/sessions.ts'
import { instantsToWire } from './instants-to-wire.ts'
import { startWaitToWire } from './waiting-to-wire.ts'

export function sessionToWire({ session, taskId }: SessionView): WireSession {
  const { id, jobId, provider, role, mode, processNumber, containment, version, createdAt } = session
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
    processNumber,
    ...stateFields(session),
    ...conversationFields(session.conversation),
    resumable: canResume(session),
    askable: canBeAsked(session),
    ...(containment === undefined ? {} : { sandbox: sandboxOf(containment) }),
    outputBytes: session.outOffset,
    errorBytes: session.errOffset,
    version,
    createdAt: createdAt.toISOString(),
    ...instantsToWire({ startedAt, deadline, endedAt }),
  }
}

/** Omits what only serves to start the session, some of which is secret. */
function purposeToWire(purpose: SessionPurpose): WireSession['purpose'] {
  switch (purpose.type) {
    case 'attempt':
      return purpose
    case 'check':
      return { type: purpose.type, candidateId: purpose.candidateId, index: purpose.index }
    case 'baseline':
      return { type: purpose.type, baselineId: purpose.baselineId, index: purpose.index }
    case 'visit-check':
      return { type: purpose.type, visitId: purpose.visitId, index: purpose.index }
    case 'personal': {
      const { type, projectId, repositoryPath, branch, baseCommit, tip, undelivered, passedOver } = purpose
      const outcome = { tip, undelivered, passedOver }
      return withoutUndefined({ type, projectId, repositoryPath, branch, baseCommit, ...outcome })
    }
    case 'query':
      return { type: purpose.type, of: purpose.of, question: purpose.question }
    default:
      return assertNever(purpose)
  }
}

function stateFields({ state, conversation }: Session): Partial<WireSession> {
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
          hasExited: state.hasExited,
          isResuming: state.resume !== undefined,
        },
      }
    case 'terminating':
      return { end: state.why }
    case 'terminated':
      return { end: state.end, ending: endingOf(state.end, conversation.dialogue !== undefined) }
    default:
      return assertNever(state)
  }
}

function whyFields(why: Suspension) {
  const { type, reason } = why
  if (why.type === 'unready')
    return withoutUndefined({ why: type, reason, remedy: why.remedy, until: why.until })
  return why.type === 'limited' ? { why: type, reason, until: why.until } : { why: type, reason }
}

function conversationFields(conversation: ConversationState) {
  const { providerSessionId, turn, openTurns, usage, contextTokens, contextWindow } = conversation
  return {
    openTurns,
    usage,
    ...(providerSessionId === undefined ? {} : { providerSessionId }),
    ...(turn === undefined ? {} : { turn }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
  }
}

function sandboxOf(containment: Containment): WireSession['sandbox'] {
  return containment === 'process-group' ? 'none' : containment
}
