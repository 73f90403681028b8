import type { WireEvent, WireEventOf } from '../../contract/event.ts'
import { agentLines } from '../render/event/agent-lines.ts'
import { restWords, waitWords } from '../render/event/event-words.ts'
import { safeLine } from '../render/text/safe-text.ts'
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
      return begun(
        { ...progress, cycle: event.cycle ?? progress.cycle, phase: 'discovery', active: [] },
        PLANNER,
        event.at,
        { label: 'plan', description: 'looks at what is to be done' },
      )
    case 'cycle_phase':
      return { ...progress, phase: event.data.phase }
    case 'cycle_tasks_discovered':
      return without(progress, PLANNER)
    case 'cycle_completed':
      return { ...progress, active: [] }
    case 'task_started':
      return name === undefined ? progress : begun(progress, event.taskId ?? PLANNER, event.at, name)
    case 'task_progress':
      return doing(progress, event.taskId, safeLine(event.data.message))
    case 'agent_message':
      return doing(progress, event.taskId ?? PLANNER, lastWords(event))
    case 'approval_requested':
      return asked(progress, event, [...progress.waiting, event.data.approvalId], 'waits for you')
    case 'approval_decided':
      return asked(
        progress,
        event,
        progress.waiting.filter((id) => id !== event.data.approvalId),
        'goes on',
      )
    case 'session_waiting':
      return doing(progress, event.taskId ?? PLANNER, waitWords(event))
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
function lastWords(event: WireEventOf<'agent_message'>): string {
  const lines = agentLines(event).filter(({ kind }) => kind !== 'note')
  return lines.at(-1)?.text.trim() ?? ''
}

function asked(
  progress: Progress,
  event: WireEvent,
  waiting: readonly string[],
  text: 'waits for you' | 'goes on',
): Progress {
  return doing({ ...progress, waiting }, event.taskId ?? PLANNER, text)
}

function begun(progress: Progress, key: string, at: string, name: TaskName): Progress {
  const task: ActiveTask = { key, name, since: Date.parse(at), doing: '' }
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
