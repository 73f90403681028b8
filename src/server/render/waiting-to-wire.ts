import type { WireWaiting } from '../../contract/waiting.ts'
import { describeRefusal, type Waiting as StartWait } from '../../domain/admission/refusal.ts'
import type { Approval } from '../../domain/approval/approval.ts'
import { assertNever } from '../../domain/assert-never.ts'
import { dollars } from '../../domain/budget/dollars.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Session } from '../../domain/session/session.ts'
import type { OpenQuestion } from '../../engine/queries/open-questions.ts'
import type { Waiting } from '../../engine/queries/waiting.ts'

const MAX_BRIEF = 120

/** Why something waits, until when, and the command that continues it. */
export function waitingToWire(waiting: Waiting): WireWaiting {
  switch (waiting.type) {
    case 'approval':
      return ofApproval(waiting.approval, waiting.agentName ?? 'an agent')
    case 'question':
      return ofQuestion(waiting.question)
    case 'session-limited': {
      const why = `${waiting.session.agentName} is out of quota`
      return { ...ofSession(waiting.session, why), waitsFor: 'quota', until: waiting.until }
    }
    case 'session-suspended':
      return ofSession(waiting.session, `${waiting.session.agentName} is suspended: ${waiting.reason}`)
    case 'session-idle': {
      const { id, agentName } = waiting.session
      const why = `${agentName} waits for your next word`
      return { id, waitsFor: 'person', why, next: `muster send ${id} "..."` }
    }
    case 'session-start': {
      const { id, jobId, agentName, role } = waiting.session
      return ofStart(id, jobId, `${agentName} as ${role}`, waiting.wait)
    }
    case 'job-start':
      return ofStart(waiting.job.id, waiting.job.id, whatStarts(waiting.tasks), waiting.wait)
    case 'job-paused':
      return { ...ofJob(waiting.job), why: 'paused', next: `muster resume ${waiting.job.id}` }
    case 'job-pending': {
      const next = `POST /api/orchestrator/${waiting.job.id}/start`
      return { ...ofJob(waiting.job), why: 'not started', next }
    }
    case 'job-day-spent': {
      const spent = `the ${dollars(waiting.dailyUsd)} that a day may cost are spent`
      const why = `${spent}: what runs goes on, nothing new starts`
      const next = `muster show ${waiting.job.id}`
      return { ...ofJob(waiting.job), waitsFor: 'money', why, until: waiting.until.toISOString(), next }
    }
    default:
      return assertNever(waiting)
  }
}

function ofStart(id: string, jobId: string | undefined, what: string, wait: StartWait): WireWaiting {
  const until = wait.until === undefined ? {} : { until: wait.until }
  const why = `${what}: ${describeRefusal(wait)}`
  return { id, waitsFor: 'capacity', ...inJob(jobId), why, ...until, next: `muster show ${id}` }
}

function whatStarts(tasks: number | undefined): string {
  if (tasks === undefined) return 'the planner'
  return tasks === 1 ? '1 task' : `${tasks} tasks`
}

function ofApproval({ id, jobId, action, asker, expiresAt }: Approval, agent: string): WireWaiting {
  const why =
    asker.type === 'candidate'
      ? `wants to land: ${shortened(action.reason ?? '')}`
      : `${agent} asks to use ${action.tool}: ${brief(action.input)}`
  const until = expiresAt.toISOString()
  return { id, waitsFor: 'person', ...inJob(jobId), why, until, next: `muster approve ${id}` }
}

function ofQuestion({ message, agentName, task }: OpenQuestion): WireWaiting {
  const { id, jobId, subject, body } = message
  const asker = task === undefined ? agentName : `t${task.cycleNumber}-${task.number} (${agentName})`
  const why = `${asker} asks: ${shortened(firstLine(body) || firstLine(subject))}`
  return { id, waitsFor: 'person', ...inJob(jobId), why, next: `muster answer ${id} "..."` }
}

function ofSession({ id, jobId }: Session, why: string): WireWaiting {
  return { id, waitsFor: 'person', ...inJob(jobId), why, next: `muster resume ${id}` }
}

function ofJob({ id }: Job): Pick<WireWaiting, 'id' | 'jobId' | 'waitsFor'> {
  return { id, jobId: id, waitsFor: 'person' }
}

function inJob(jobId: string | undefined): { readonly jobId?: string } {
  return jobId === undefined ? {} : { jobId }
}

function brief(input: unknown): string {
  return input === undefined ? '' : shortened(JSON.stringify(input))
}

function firstLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.find((line) => line !== '') ?? ''
}

function shortened(text: string): string {
  return text.length > MAX_BRIEF ? `${text.slice(0, MAX_BRIEF - 1)}…` : text
}
