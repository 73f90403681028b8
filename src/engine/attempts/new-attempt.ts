import type { Admission } from '../../domain/admission/admit.ts'
import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { AttemptPurpose } from '../../domain/attempt/attempt-purpose.ts'
import type { NewEvent } from '../../domain/event/event.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Records } from '../../ports/store/store.ts'
import { applyAdmission } from '../admission/admit-session.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { newSession } from '../sessions/create/new-session.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'ids'>

export type AttemptRequest = {
  readonly job: Job
  readonly purpose: AttemptPurpose
  readonly role: string
  readonly number: number
  readonly agent: AgentSpec
  /** The commit its working tree starts from. */
  readonly head: string
  readonly events?: (attempt: Attempt, admission: Admission) => readonly NewEvent[]
  /** Decides whether its session may start; absent if that was already decided. */
  readonly admit?: (attempt: Attempt) => Promise<Admission>
}

/** Stores an attempt with its session and sends the work that starts it. */
export async function newAttempt(needs: Needs, records: Records, request: AttemptRequest): Promise<Attempt> {
  const { job, purpose, role, number, agent, head } = request
  const now = needs.clock.now()
  const attempt: Attempt = {
    id: needs.ids.next('attempt'),
    jobId: job.id,
    purpose,
    role,
    number,
    agent,
    sessionId: needs.ids.next('session'),
    state: { type: 'preparing' },
    baseCommit: head,
    handoffs: [],
    version: 1,
    createdAt: now,
  }
  const created = newSession(needs, {
    id: attempt.sessionId,
    jobId: job.id,
    purpose: { type: 'attempt', attemptId: attempt.id },
    agent,
    role,
  })
  const admission = (await request.admit?.(attempt)) ?? { type: 'admitted' }
  const { session, events, follow } = applyAdmission(created, admission, now)
  await records.attempts.insert(attempt, {
    audit: { actor: 'engine', action: 'attempt-start', subject: attempt.id, detail: { role, number } },
    events: request.events?.(attempt, admission) ?? [],
  })
  await records.sessions.insert(session, {
    audit: {
      actor: 'engine',
      action: 'session-create',
      subject: session.id,
      detail: { provider: agent.provider },
    },
    events,
    follow,
  })
  return attempt
}
