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

export type AttemptRequest = {
  readonly job: Job
  readonly purpose: AttemptPurpose
  readonly role: string
  /** Absent if it is admitted in its role. */
  readonly admittedAs?: string
  readonly number: number
  readonly agent: AgentSpec
  /** The commit its working tree starts from. */
  readonly head: string
  readonly continues?: Attempt['continues']
}

/** An attempt that isn't stored yet. Admission decides first whether its program may start. */
export function newAttempt(needs: Pick<EngineNeeds, 'clock' | 'ids'>, request: AttemptRequest): Attempt {
  const { job, purpose, role, admittedAs, number, agent, head, continues } = request
  return {
    id: needs.ids.next('attempt'),
    jobId: job.id,
    purpose,
    role,
    ...(admittedAs === undefined ? {} : { admittedAs }),
    number,
    agent,
    sessionId: needs.ids.next('session'),
    ...(continues === undefined ? {} : { continues }),
    state: { type: 'preparing' },
    baseCommit: head,
    handoffs: [],
    version: 1,
    createdAt: needs.clock.now(),
  }
}

export type AttemptStart = {
  readonly attempt: Attempt
  /** The decision on its program, made in the same transaction. */
  readonly admission: Admission
  readonly events?: readonly NewEvent[]
}

/** Stores a new attempt with its session. Its program starts next if it is admitted; otherwise the session waits. */
export async function insertAttempt(
  needs: Pick<EngineNeeds, 'clock'>,
  records: Records,
  { attempt, admission, events = [] }: AttemptStart,
): Promise<void> {
  const { id, jobId, role, admittedAs, number, agent } = attempt
  const created = newSession(needs, {
    id: attempt.sessionId,
    jobId,
    purpose: { type: 'attempt', attemptId: id },
    agent,
    role,
    admittedAs,
  })
  const placed = applyAdmission(created, admission, attempt.createdAt)
  await records.attempts.insert(attempt, {
    audit: { actor: 'engine', action: 'attempt-start', subject: id, detail: { role, number } },
    events,
  })
  await records.sessions.insert(placed.session, {
    audit: {
      actor: 'engine',
      action: 'session-create',
      subject: created.id,
      detail: { provider: agent.provider },
    },
    events: placed.events,
    follow: placed.follow,
  })
}
