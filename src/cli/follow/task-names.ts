import type { MusterClient } from '../../client/index.ts'
import type { WireEvent } from '../../contract/event.ts'
import { textOf } from '../render/event-data.ts'
import { safeLine } from '../render/safe-text.ts'
import { taskLabel } from '../render/task-label.ts'

/** What a task is called on screen. */
export type TaskName = { readonly label: string; readonly description: string }

type Named = Pick<WireEvent, 'taskId' | 'jobId' | 'cycle' | 'data'>

/** Knows tasks by what their events said, and asks the daemon about those it missed. */
export interface TaskNames {
  nameOf(event: Named): Promise<TaskName | undefined>
}

const PAGE = 200

export function createTaskNames(client: Pick<MusterClient, 'listTasks'>): TaskNames {
  const known = new Map<string, TaskName>()
  return {
    async nameOf(event) {
      if (event.taskId === undefined) return undefined
      const told = toldName(event)
      if (told !== undefined) known.set(event.taskId, told)
      if (!known.has(event.taskId) && event.jobId !== undefined) await learn(client, event.jobId, known)
      return known.get(event.taskId) ?? { label: event.taskId.slice(-6), description: '' }
    },
  }
}

function toldName(event: Named): TaskName | undefined {
  const number = event.data['number']
  const description = textOf(event, 'description')
  if (typeof number !== 'number' || event.cycle === undefined || description === '') return undefined
  return { label: taskLabel({ cycleNumber: event.cycle, number }), description }
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
