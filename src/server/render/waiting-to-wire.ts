import type { WireStartWait, WireWaiting } from '../../contract/waiting.ts'
import { describeRefusal, type Waiting as StartWait } from '../../domain/admission/refusal.ts'
import { describeUnready } from '../../domain/agent/unready.ts'
import type { Approval } from '../../domain/approval/approval.ts'
import { describeAction } from '../../domain/approval/describe-action.ts'
import { assertNever } from '../../domain/assert-never.ts'
import { failuresOf } from '../../domain/baseline/baseline.ts'
import { dollars } from '../../domain/budget/dollars.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Session } from '../../domain/session/session.ts'
import { taskName } from '../../domain/task/task-name.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { OpenQuestion } from '../../engine/queries/open-questions.ts'
import type { Waiting } from '../../engine/queries/waiting.ts'

const MAX_BRIEF = 120

/** Why something waits, until when, and the command that continues it. */
export function waitingToWire(waiting: Waiting): WireWaiting {
  switch (waiting.type) {
    case 'approval':
      return ofApproval(waiting.approval, askerName(waiting))
    case 'question':
      return ofQuestion(waiting.question)
    case 'session-limited': {
      const why = `${waiting.session.agentName} is out of quota`
      return { ...ofSession(waiting.session, why), waitsFor: 'quota', until: waiting.until }
    }
    case 'session-unready':
      return ofUnready(waiting)
    case 'session-suspended':
      return ofSession(waiting.session, suspendedWords(waiting))
    case 'session-idle': {
      const { id, agentName } = waiting.session
      const why = `${agentName} is waiting for your next message`
      return { id, waitsFor: 'person', why, next: `muster send ${id} "..."` }
    }
    case 'session-start': {
      const { id, jobId, agentName, role } = waiting.session
      return ofStart(id, jobId, `${agentName} as ${role}`, waiting.wait)
    }
    case 'job-start':
      return ofStart(waiting.job.id, waiting.job.id, whatStarts(waiting.tasks), waiting.wait)
    case 'base-failing':
      return ofBase(waiting)
    case 'job-paused':
      return { ...ofJob(waiting.job), why: 'the job is paused', next: `muster resume ${waiting.job.id}` }
    case 'job-pending': {
      const next = `POST /api/orchestrator/${waiting.job.id}/start`
      return { ...ofJob(waiting.job), why: 'the job has not started', next }
    }
    case 'job-day-spent': {
      const spent = `the daily budget of ${dollars(waiting.dailyUsd)} is spent`
      const why = `${spent}: running agents continue, nothing new starts`
      const next = `muster show ${waiting.job.id}`
      return { ...ofJob(waiting.job), waitsFor: 'money', why, until: waiting.until.toISOString(), next }
    }
    default:
      return assertNever(waiting)
  }
}

function ofUnready({ session, why }: Extract<Waiting, { type: 'session-unready' }>): WireWaiting {
  const next = `muster resume ${session.jobId ?? session.id}`
  const waitsFor = why.cause === 'network' ? 'network' : 'person'
  const until = why.until === undefined ? {} : { until: why.until }
  return { ...ofSession(session, describeUnready(why)), waitsFor, ...until, next }
}

function ofStart(id: string, jobId: string | undefined, what: string, wait: StartWait): WireWaiting {
  const until = wait.until === undefined ? {} : { until: wait.until }
  const why = `${what}: ${describeRefusal(wait)}`
  const waitsFor = wait.limit === 'day' || wait.limit === 'budget' ? 'money' : 'capacity'
  return { id, waitsFor, ...inJob(jobId), why, ...until, next: `muster show ${id}` }
}

function whatStarts(tasks: number | undefined): string {
  if (tasks === undefined) return 'the planner'
  return tasks === 1 ? '1 task' : `${tasks} tasks`
}

function ofApproval({ id, jobId, action, expiresAt }: Approval, asker: string): WireWaiting {
  const why = shortened(describeAction(action, asker).replaceAll(/\s+/g, ' '))
  const approve = `muster approve ${id}`
  const look = { landing: 'diff', gate: 'show', 'tool-use': undefined }[action.type]
  const next = look === undefined ? approve : `muster ${look} ${id}, then: ${approve}`
  return { id, waitsFor: 'person', ...inJob(jobId), why, until: expiresAt.toISOString(), next }
}

function askerName({ task, agentName }: Extract<Waiting, { type: 'approval' }>): string {
  return task === undefined ? (agentName ?? 'an agent') : taskName(task)
}

function suspendedWords({ session, reason }: Extract<Waiting, { type: 'session-suspended' }>): string {
  const words = `${session.agentName} is suspended`
  return reason === undefined ? words : `${words}: ${reason}`
}

function ofQuestion({ message, agentName, task }: OpenQuestion): WireWaiting {
  const { id, jobId, subject, body } = message
  const asker = task === undefined ? agentName : `${taskName(task)} (${agentName})`
  const why = `${asker} asks: ${shortened(firstLine(body) || firstLine(subject))}`
  return { id, waitsFor: 'person', ...inJob(jobId), why, next: `muster answer ${id} "..."` }
}

function ofBase({ job, baseline }: Extract<Waiting, { type: 'base-failing' }>): WireWaiting {
  const [first, ...others] = failuresOf(baseline)
  const what = first?.failure === 'setup' ? 'setup command' : 'check'
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  const where = `${job.baseBranch} at ${job.baseCommit.slice(0, 10)}`
  const fails = others.length === 0 ? 'already fails' : 'already fail'
  const why = `${what} "${shortened(first?.command ?? '')}"${more} ${fails} on ${where}`
  return { ...ofJob(job), why, next: `muster base ${job.id}` }
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

function firstLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.find((line) => line !== '') ?? ''
}

function shortened(text: string): string {
  return text.length > MAX_BRIEF ? `${text.slice(0, MAX_BRIEF - 1)}…` : text
}

export function startWaitToWire(waiting: StartWait): WireStartWait {
  const { limit, value, inUse, since, until } = waiting
  return withoutUndefined({ limit, value, inUse, since, until, reason: describeRefusal(waiting) })
}
