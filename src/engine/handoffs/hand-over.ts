import { whyNever } from '../../domain/admission/admit.ts'
import { admittedRole } from '../../domain/admission/admitted-role.ts'
import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import { nextAttemptState } from '../../domain/attempt/next-attempt-state.ts'
import { handedOver } from '../../domain/event/task-events.ts'
import type { HandoffNote } from '../../domain/handoff/handoff-note.ts'
import type { SessionId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { RETRY_LIMITS } from '../../domain/limits/retry-limits.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Session } from '../../domain/session/session.ts'
import { attemptIdOf } from '../../domain/session/session-purpose.ts'
import type { Records } from '../../ports/store/store.ts'
import { applyAdmission } from '../admission/admit-session.ts'
import { decideStart } from '../admission/decide-starts.ts'
import { attemptWaiter, priorityOf, requestInJob } from '../admission/start-waiter.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { newSession } from '../sessions/create/new-session.ts'
import { storeStop } from '../sessions/end/stop-session.ts'
import { handoffRefusal } from './handoff-refusal.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock' | 'crash' | 'ids' | 'settings'>

export type HandoffRequest = Pick<HandoffNote, 'summary' | 'nextSteps' | 'reason'> & {
  /** The agent that continues; absent: a new session of the same agent. */
  readonly to?: string
}

export type HandoffFailure =
  | { readonly type: 'session-not-found'; readonly sessionId: SessionId }
  | { readonly type: 'handoff-impossible'; readonly sessionId: SessionId; readonly problem: string }
  | { readonly type: 'agent-unknown'; readonly agent: string; readonly known: readonly string[] }

/**
 * Lets a new session continue the task of a running one, in the same tree and on the same branch. The new session
 * starts when the old session's program has exited.
 */
export async function handOver(
  needs: Needs,
  sessionId: SessionId,
  request: HandoffRequest,
): Promise<Result<HandoffNote, HandoffFailure>> {
  return await needs.store.transact(async (records) => {
    const found = await findHandoff(records, sessionId, request.to)
    if (!found.ok) return found
    const { session, agent } = found.value
    const note: HandoffNote = {
      from: sessionId,
      fromAgent: session.agentName,
      to: agent.name,
      summary: request.summary,
      nextSteps: request.nextSteps,
      reason: request.reason,
      at: needs.clock.now().toISOString(),
    }
    await storeHandoff(needs, records, { ...found.value, note })
    needs.crash.reach('handoff.before-successor')
    return success(note)
  })
}

async function findHandoff(
  records: Records,
  sessionId: SessionId,
  to: string | undefined,
): Promise<Result<Omit<Handoff, 'note'>, HandoffFailure>> {
  const session = await records.sessions.find(sessionId)
  if (session === undefined) return failure({ type: 'session-not-found', sessionId })
  const impossible = (problem: string) => failure({ type: 'handoff-impossible', sessionId, problem } as const)
  if (session.state.type !== 'running') return impossible(`it is ${session.state.type}`)
  const attemptId = attemptIdOf(session)
  if (attemptId === undefined) return impossible('it has no task')
  const attempt = await records.attempts.find(attemptId)
  if (attempt?.sessionId !== sessionId) return impossible('another session has its task')
  if (attempt.handoffs.length >= RETRY_LIMITS.handoffs) {
    return impossible(`its task has already been handed over ${RETRY_LIMITS.handoffs} times`)
  }
  const refusal = handoffRefusal(session, attempt, to)
  if (refusal !== undefined) return impossible(refusal)
  const job = await records.jobs.find(attempt.jobId)
  if (job === undefined) return impossible('its job no longer exists')
  const agent = findSuccessor(job, attempt, to)
  if (!agent.ok) return agent
  if (whyNever(requestInJob(job, admittedRole(attempt), agent.value)) !== undefined) {
    return impossible(`${agent.value.name} cannot take the role ${attempt.role}`)
  }
  return success({ job, session, attempt, agent: agent.value })
}

function findSuccessor(
  { plan: { agents } }: Job,
  attempt: Attempt,
  name: string | undefined,
): Result<AgentSpec, HandoffFailure> {
  if (name === undefined) return success(attempt.agent)
  const agent = agents.find((candidate) => candidate.name === name)
  return agent === undefined
    ? failure({ type: 'agent-unknown', agent: name, known: agents.map((known) => known.name) })
    : success(agent)
}

type Handoff = {
  readonly job: Job
  readonly session: Session
  readonly attempt: Attempt
  readonly agent: AgentSpec
  readonly note: HandoffNote
}

async function storeHandoff(needs: Needs, records: Records, handoff: Handoff): Promise<void> {
  const { job, session, attempt, agent, note } = handoff
  const state = nextAttemptState(attempt.state, { type: 'session-handoff' })
  if (!state.ok) throw new Error(`attempt ${attempt.id} is ${attempt.state.type} and cannot be handed over`)
  const successor = newSession(needs, {
    id: needs.ids.next('session'),
    jobId: attempt.jobId,
    purpose: { type: 'attempt', attemptId: attempt.id },
    agent,
    role: attempt.role,
    admittedAs: attempt.admittedAs,
  })
  const handed = { ...attempt, agent, sessionId: successor.id, handoffs: [...attempt.handoffs, note] }
  const waiter = attemptWaiter(job, handed, {
    id: successor.id,
    priority: await priorityOf(records, attempt),
    since: successor.createdAt,
    isResume: false,
  })
  const placed = applyAdmission(successor, await decideStart(needs, records, waiter), successor.createdAt)
  await records.sessions.insert(placed.session, {
    audit: {
      actor: 'agent',
      action: 'session-create',
      subject: successor.id,
      detail: { provider: agent.provider },
    },
    events: placed.events,
  })
  await records.attempts.save(
    { ...handed, state: state.value },
    {
      audit: { actor: 'agent', action: 'attempt-handoff', subject: attempt.id, detail: { to: agent.name } },
      events: [handedOver(session, attempt, note, successor.id)],
      // The end of the old session sends the start. This one is for an old session that has already ended.
      follow: placed.follow,
    },
  )
  await storeStop(needs, records, session, { type: 'handed-over', to: agent.name, reason: note.reason })
}
