import type { Refusal } from '../admission/refusal.ts'
import type { Attempt } from '../attempt/attempt.ts'
import { taskIdOf } from '../attempt/attempt-purpose.ts'
import type { HandoffNote } from '../handoff/handoff-note.ts'
import type { AttemptId, LandingId, SessionId } from '../id.ts'
import type { Landing } from '../landing/landing.ts'
import type { Run } from '../run/run.ts'
import type { Session } from '../session/session.ts'
import type { Task } from '../task/task.ts'
import type { TaskState } from '../task/task-state.ts'
import { type ChangeCounts, countsOf } from '../task/work-changes.ts'
import { type EventPlace, sessionPlace, taskPlace } from './event-place.ts'
import { builderOf } from './new-event.ts'
import { type StartRefusal, startRefusal } from './start-refusal.ts'

export type TaskEvents = {
  readonly task_waiting: StartRefusal & { readonly number: number }
  readonly task_started: {
    readonly number: number
    readonly description: string
    readonly agent: string
    readonly attempt: number
    readonly agentSessionId: SessionId
  }
  readonly task_progress: {
    readonly message: string
    /** The task's number; absent for output of an agent or a check, and for handoffs. */
    readonly number?: number | undefined
    readonly source?: 'agent' | 'check' | undefined
    readonly percent?: number | undefined
    readonly handoff?: HandoffNote | undefined
    readonly nextSessionId?: SessionId | undefined
  }
  readonly task_completed: {
    readonly number: number
    readonly landingId: LandingId
    readonly commit: string
    /** The agent's own words, or the counts if it said nothing. */
    readonly summary?: string | undefined
    /** How much landed, counted in full; `filesModified` is cut. */
    readonly changes?: ChangeCounts | undefined
    readonly filesModified: readonly string[]
  }
  readonly task_failed: {
    readonly number: number
    readonly status: TaskState['type']
    readonly error: string
    readonly suggestion?: string | undefined
    readonly paths?: readonly string[] | undefined
    readonly landingId?: LandingId | undefined
  }
}

const event = builderOf<TaskEvents>()

const SHOWN_CHARACTERS = 2000

/** A limit keeps the task from starting, or the limit changed. */
export function taskWaiting(task: Task, refusal: Refusal) {
  return event('task_waiting', taskPlace(task), { number: task.number, ...startRefusal(refusal) })
}

export function taskStarted(task: Task, attempt: Attempt) {
  const place = { ...taskPlace(task, attempt.id), sessionId: attempt.sessionId }
  return event('task_started', place, {
    number: task.number,
    description: task.description,
    agent: attempt.agent.name,
    attempt: attempt.number,
    agentSessionId: attempt.sessionId,
  })
}

export function attemptRetried(task: Task, attempt: Attempt, reason: string) {
  const message = `attempt ${attempt.number} failed and will be retried: ${reason}`
  return event('task_progress', taskPlace(task, attempt.id), { number: task.number, message })
}

export function runRetried(task: Task, { playbook }: Pick<Run, 'playbook'>, reason: string) {
  const message = `the run of ${playbook.name} failed and will be retried: ${reason}`
  return event('task_progress', taskPlace(task), { number: task.number, message })
}

export function conflictAbandoned(task: Task, suggestion: string) {
  return event('task_progress', taskPlace(task), { number: task.number, message: suggestion })
}

export function handedOver(session: Session, attempt: Attempt, note: HandoffNote, nextSessionId: SessionId) {
  const taskId = taskIdOf(attempt)
  const message = `${note.fromAgent} handed over to ${note.to}: ${note.reason}`
  const place = sessionPlace(session, taskId === undefined ? {} : { taskId })
  return event('task_progress', place, { message, handoff: note, nextSessionId })
}

/** Progress that an agent reported itself. */
export function progressReported(place: EventPlace, text: string, percent: number | undefined) {
  return event('task_progress', place, { source: 'agent', message: text.slice(0, SHOWN_CHARACTERS), percent })
}

export function checkPrinted(place: EventPlace, text: string) {
  return event('task_progress', place, { source: 'check', message: text })
}

export function taskCompleted(task: Task, landing: Landing, commit: string, summary = task.resultSummary) {
  const { number, filesModified } = task
  const changes = task.changes === undefined ? undefined : countsOf(task.changes)
  const data = { number, landingId: landing.id, commit, summary, changes, filesModified }
  return event('task_completed', taskPlace(task, landing.attemptId), data)
}

export type TaskFailure = Omit<TaskEvents['task_failed'], 'number'>

export function taskFailed(task: Task, failure: TaskFailure, attemptId?: AttemptId) {
  return event('task_failed', taskPlace(task, attemptId), { number: task.number, ...failure })
}
