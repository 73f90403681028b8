import type { MusterClient } from '../../client/index.ts'
import { readAll } from '../../client/read-all.ts'
import type { WireEvent } from '../../contract/event.ts'
import { taskName } from '../../domain/task/task-name.ts'
import { safeLine } from '../render/text/safe-text.ts'

/** What a task is called in the output. */
export type TaskName = { readonly label: string; readonly description: string }

type OfTask = Pick<WireEvent, 'taskId' | 'jobId'>
type Place = Pick<WireEvent, 'taskId' | 'cycle'>
type Needs = Pick<MusterClient, 'listTasks'> & Partial<Pick<MusterClient, 'getSession'>>

/** Knows tasks from their events, and asks the daemon about the others. */
export interface TaskNames {
  nameOf(event: WireEvent | OfTask): Promise<TaskName | undefined>
  /** Adds the task and the cycle of the event's session, if the event doesn't have them. */
  placed(event: WireEvent): Promise<WireEvent>
}

export function createTaskNames(client: Needs): TaskNames {
  const known = new Map<string, TaskName>()
  const places = new Map<string, Place>()
  return {
    async placed(event) {
      const { sessionId, jobId, taskId, cycle } = event
      if (sessionId === undefined || jobId === undefined) return event
      if (taskId !== undefined || cycle !== undefined) {
        places.set(sessionId, placeIn(event))
        return event
      }
      const place = places.get(sessionId) ?? (await placeOf(client, sessionId))
      places.set(sessionId, place)
      return { ...event, ...place }
    },
    async nameOf(event) {
      if (event.taskId === undefined) return undefined
      const printed = 'type' in event ? nameFrom(event) : undefined
      if (printed !== undefined) known.set(event.taskId, printed)
      if (!known.has(event.taskId) && event.jobId !== undefined) await learn(client, event.jobId, known)
      return known.get(event.taskId) ?? { label: event.taskId.slice(-6), description: '' }
    },
  }
}

function placeIn({ taskId, cycle }: Place): Place {
  return { ...(taskId === undefined ? {} : { taskId }), ...(cycle === undefined ? {} : { cycle }) }
}

async function placeOf(client: Needs, sessionId: string): Promise<Place> {
  const session = await client.getSession?.(sessionId)
  const taskId = session?.ok === true ? session.value.taskId : undefined
  return taskId === undefined ? {} : { taskId }
}

function nameFrom(event: WireEvent): TaskName | undefined {
  if (event.type !== 'task_started' || event.cycle === undefined) return undefined
  const { number, description } = event.data
  return { label: taskName({ cycleNumber: event.cycle, number }), description: safeLine(description) }
}

async function learn(
  client: Pick<MusterClient, 'listTasks'>,
  job: string,
  known: Map<string, TaskName>,
): Promise<void> {
  const tasks = await readAll((page) => client.listTasks({ job, ...page }))
  // Without an answer, the label is the end of the ID, so the line is still printed.
  for (const task of tasks.ok ? tasks.value : []) {
    known.set(task.id, { label: taskName(task), description: safeLine(task.description) })
  }
}
