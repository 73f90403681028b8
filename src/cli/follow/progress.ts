import type { WireEvent } from '../../contract/event.ts'
import { agentLines } from '../render/agent-lines.ts'
import { textOf } from '../render/event-data.ts'
import { restWords } from '../render/rest-words.ts'
import type { TaskName } from './task-names.ts'

export type ActiveTask = {
  readonly key: string
  readonly name: TaskName
  readonly since: number
  readonly doing: string
}

/** What a job is about at this moment, as far as its events have told. */
export type Progress = {
  readonly since: number
  readonly cycle: number
  readonly phase: string
  readonly active: readonly ActiveTask[]
  readonly landed: number
  readonly failed: number
  /** Approvals that nobody has decided on. */
  readonly waiting: readonly string[]
}

export function firstProgress(since: number): Progress {
  return { since, cycle: 0, phase: 'starting', active: [], landed: 0, failed: 0, waiting: [] }
}

/** Pure: what is going on after one more event. `name` is that of the task the event is about. */
export function nextProgress(progress: Progress, event: WireEvent, name: TaskName | undefined): Progress {
  switch (event.type) {
    case 'job_started':
      return { ...progress, since: Date.parse(event.at) }
    case 'cycle_started':
      return planning(
        { ...progress, cycle: event.cycle ?? progress.cycle, phase: 'discovery', active: [] },
        event,
      )
    case 'cycle_phase':
      return { ...progress, phase: textOf(event, 'phase') || progress.phase }
    case 'cycle_tasks_discovered':
      return without(progress, PLANNER)
    case 'cycle_completed':
      return { ...progress, active: [] }
    case 'task_started':
      return name === undefined ? progress : begun(progress, event, name)
    case 'task_progress':
      return doing(progress, event.taskId, textOf(event, 'message', 'text'))
    case 'agent_message':
      return doing(progress, event.taskId ?? PLANNER, lastWords(event))
    case 'approval_requested':
      return asked(progress, event)
    case 'approval_decided':
      return decided(progress, event)
    case 'session_suspended':
      return doing(progress, event.taskId ?? PLANNER, restWords(event))
    case 'session_resumed':
      return doing(progress, event.taskId ?? PLANNER, 'goes on')
    case 'landing_queued':
      return doing(progress, event.taskId, 'waits to land')
    case 'landing_checking':
      return doing(progress, event.taskId, 'checks run on the merged tree')
    case 'task_completed':
      return without({ ...progress, landed: progress.landed + 1 }, event.taskId)
    case 'task_failed':
      return without({ ...progress, failed: progress.failed + 1 }, event.taskId)
    default:
      return progress
  }
}

const PLANNER = 'planner'

/** What an agent said or did last; bookkeeping is neither. */
function lastWords(event: WireEvent): string {
  const lines = agentLines(event).filter(({ kind }) => kind !== 'note')
  return lines.at(-1)?.text.trim() ?? ''
}

function asked(progress: Progress, event: WireEvent): Progress {
  const waiting = [...progress.waiting, textOf(event, 'approvalId')]
  return doing({ ...progress, waiting }, event.taskId ?? PLANNER, 'waits for you')
}

function decided(progress: Progress, event: WireEvent): Progress {
  const id = textOf(event, 'approvalId')
  const waiting = progress.waiting.filter((other) => other !== id)
  return doing({ ...progress, waiting }, event.taskId ?? PLANNER, 'goes on')
}

function planning(progress: Progress, event: WireEvent): Progress {
  return begun(
    progress,
    { ...event, taskId: PLANNER },
    { label: 'plan', description: 'looks at what is to be done' },
  )
}

function begun(progress: Progress, event: WireEvent, name: TaskName): Progress {
  const key = event.taskId ?? PLANNER
  const task: ActiveTask = { key, name, since: Date.parse(event.at), doing: '' }
  return { ...progress, active: [...progress.active.filter((other) => other.key !== key), task] }
}

function doing(progress: Progress, key: string | undefined, text: string): Progress {
  if (text === '') return progress
  return {
    ...progress,
    active: progress.active.map((task) => (task.key === key ? { ...task, doing: text } : task)),
  }
}

function without(progress: Progress, key: string | undefined): Progress {
  return { ...progress, active: progress.active.filter((task) => task.key !== key) }
}
