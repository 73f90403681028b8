import type { MusterClient } from '../../client/index.ts'
import type { WireEvent } from '../../contract/event.ts'
import { taskLabel } from '../render/task/task-label.ts'
import { safeLine } from '../render/text/safe-text.ts'

/** What a task is called on screen. */
export type TaskName = { readonly label: string; readonly description: string }

type OfTask = Pick<WireEvent, 'taskId' | 'jobId'>
type Place = Pick<WireEvent, 'taskId' | 'cycle'>
type Needs = Pick<MusterClient, 'listTasks'> & Partial<Pick<MusterClient, 'getSession'>>

/** Knows tasks by what their events said, and asks the daemon about those it missed. */
export interface TaskNames {
  nameOf(event: WireEvent | OfTask): Promise<TaskName | undefined>
  /** The event with the task and the cycle that its session is at, where it does not tell them itself. */
  placed(event: WireEvent): Promise<WireEvent>
}

const PAGE = 200

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
      const told = 'type' in event ? toldName(event) : undefined
      if (told !== undefined) known.set(event.taskId, told)
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

function toldName(event: WireEvent): TaskName | undefined {
  if (event.type !== 'task_started' || event.cycle === undefined) return undefined
  const { number, description } = event.data
  return { label: taskLabel({ cycleNumber: event.cycle, number }), description: safeLine(description) }
}

async function learn(
  client: Pick<MusterClient, 'listTasks'>,
  job: string,
  known: Map<string, TaskName>,
): Promise<void> {
  let cursor: string | undefined
  do {
    const page = await client.listTasks({ job, limit: PAGE, cursor })
    // Without an answer the label is the end of the id: worse, but the line is not lost.
    if (!page.ok) return
    for (const task of page.value.items) {
      known.set(task.id, { label: taskLabel(task), description: safeLine(task.description) })
    }
    cursor = page.value.nextCursor
  } while (cursor !== undefined)
}
