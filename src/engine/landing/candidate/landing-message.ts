import type { QueueEntry } from '../queue/load-queue.ts'

const MAX_SUBJECT = 72

/** The message of the commit that brings these in: what they are, and where each came from. */
export function landingMessage(entries: readonly Pick<QueueEntry, 'task' | 'landing'>[]): string {
  const [only] = entries
  const subject =
    entries.length === 1 && only !== undefined
      ? firstLine(only.task.description)
      : `Land ${entries.length} tasks together`
  const list = entries.length === 1 ? '' : `${entries.map(lineOf).join('\n')}\n\n`
  const trailers = entries.flatMap(({ landing }) => [
    `Muster-Task: ${landing.taskId}`,
    `Muster-Attempt: ${landing.attemptId}`,
  ])
  return `${subject}\n\n${list}${trailers.join('\n')}\n`
}

function lineOf({ task }: Pick<QueueEntry, 'task'>): string {
  return `- ${task.cycleNumber}.${task.number} ${firstLine(task.description)}`
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length > MAX_SUBJECT ? `${line.slice(0, MAX_SUBJECT - 3)}...` : line
}
