import type { WireWaiting } from '../../contract/waiting.ts'
import type { Approval } from '../../domain/approval/approval.ts'
import { dollars } from '../../domain/budget/dollars.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Session } from '../../domain/session/session.ts'
import type { OpenQuestion } from './open-questions.ts'

type Sight = {
  readonly jobs: readonly Job[]
  readonly sessions: readonly Session[]
  readonly approvals: readonly Approval[]
  readonly questions: readonly OpenQuestion[]
  /** Jobs that start nothing until then, because what a day may cost is spent. */
  readonly dayLimits: ReadonlyMap<string, Date>
}

const MAX_BRIEF = 120

/** What goes on only when a person does something, or when its time has come; most urgent first. */
export function whatWaits({ jobs, sessions, approvals, questions, dayLimits }: Sight): WireWaiting[] {
  const agents = new Map(sessions.map(({ id, agentName }) => [id, agentName]))
  return [
    ...approvals.map((approval) => waitingApproval(approval, agents)),
    ...questions.map(waitingQuestion),
    ...sessions.flatMap(waitingSession),
    ...jobs.flatMap((job) => waitingJob(job, dayLimits.get(job.id))),
  ]
}

function waitingApproval(approval: Approval, agents: ReadonlyMap<string, string>): WireWaiting {
  const { id, jobId, action, asker, expiresAt } = approval
  const agent = (asker.type === 'session' ? agents.get(asker.sessionId) : undefined) ?? 'an agent'
  return {
    id,
    waitsFor: 'person',
    ...ofJob(jobId),
    why:
      asker.type === 'candidate'
        ? `wants to land: ${shortened(action.reason ?? '')}`
        : `${agent} asks to use ${action.tool}: ${brief(action.input)}`,
    until: expiresAt.toISOString(),
    next: `muster approve ${id}`,
  }
}

function waitingQuestion({ id, jobId, asker, text }: OpenQuestion): WireWaiting {
  return {
    id,
    waitsFor: 'person',
    ...ofJob(jobId),
    why: `${asker} asks: ${shortened(text)}`,
    next: `muster answer ${id} "..."`,
  }
}

function waitingSession(session: Session): readonly WireWaiting[] {
  const { id, jobId, agentName, state, talk, purpose, mode } = session
  if (state.type === 'suspended' && state.resume === undefined) {
    const { why } = state
    return [
      why.type === 'limited'
        ? {
            id,
            waitsFor: 'quota',
            ...ofJob(jobId),
            why: `${agentName} is out of quota`,
            until: why.until,
            next: `muster resume ${id}`,
          }
        : {
            id,
            waitsFor: 'person',
            ...ofJob(jobId),
            why: `${agentName} is suspended: ${why.reason}`,
            next: `muster resume ${id}`,
          },
    ]
  }
  const isAttentive = state.type === 'running' && talk.turn !== undefined && talk.openTurns === 0
  if (!isAttentive || purpose.type !== 'standing' || mode === 'interactive') return []
  return [
    {
      id,
      waitsFor: 'person',
      why: `${agentName} waits for your next word`,
      next: `muster send ${id} "..."`,
    },
  ]
}

function waitingJob({ id, state, plan }: Job, until: Date | undefined): readonly WireWaiting[] {
  const job = { id, jobId: id, waitsFor: 'person' } as const
  if (state.type === 'paused') return [{ ...job, why: 'paused', next: `muster resume ${id}` }]
  if (state.type === 'pending') {
    return [{ ...job, why: 'not started', next: `POST /api/orchestrator/${id}/start` }]
  }
  if (state.type !== 'running' || until === undefined) return []
  const spent = `the ${dollars(plan.limits.dailyUsd ?? 0)} that a day may cost are spent`
  return [
    {
      ...job,
      waitsFor: 'money',
      why: `${spent}: what runs goes on, nothing new starts`,
      until: until.toISOString(),
      next: `muster show ${id}`,
    },
  ]
}

function ofJob(jobId: string | undefined): { readonly jobId?: string } {
  return jobId === undefined ? {} : { jobId }
}

function brief(input: unknown): string {
  return shortened(input === undefined ? '' : JSON.stringify(input))
}

function shortened(text: string): string {
  return text.length > MAX_BRIEF ? `${text.slice(0, MAX_BRIEF - 1)}…` : text
}
