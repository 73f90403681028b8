import { taskIdOf } from '../../domain/attempt/attempt-purpose.ts'
import type { JobId, MessageId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Store } from '../../ports/store/store.ts'

type Needs = { readonly store: Pick<Store, 'read'> }

/** What an agent asked a person and still wants to know. */
export type OpenQuestion = {
  readonly id: MessageId
  readonly jobId?: JobId
  /** Who asks, with the task it is at: `t1-4 (ada)`. */
  readonly asker: string
  /** The first line of the question. */
  readonly text: string
}

/** The rest of them is in the list of messages. */
const MOST_QUESTIONS = 200

/** Questions that nobody has answered and whose askers, of the `live` sessions, can still hear an answer. */
export async function openQuestions(
  needs: Needs,
  live: readonly Session[],
): Promise<readonly OpenQuestion[]> {
  const filter = { recipient: 'person', kind: 'question' } as const
  const messages = await needs.store.read.messages.list(filter, { limit: MOST_QUESTIONS })
  const sessions = new Map<string, Session>(live.map((session) => [session.id, session]))
  const open = messages.filter(isUnanswered).flatMap((message) => {
    const session = sessions.get(message.sender)
    return session === undefined ? [] : [{ message, session }]
  })
  return Promise.all(
    open.map(async ({ message: { id, jobId, subject, body }, session }) => ({
      id,
      ...(jobId === undefined ? {} : { jobId }),
      asker: await askerOf(needs, session),
      text: firstLine(body) || firstLine(subject),
    })),
  )
}

function isUnanswered({ state }: Message): boolean {
  return state.type === 'queued' || state.type === 'delivered'
}

async function askerOf(needs: Needs, { purpose, agentName }: Session): Promise<string> {
  const { attempts, tasks } = needs.store.read
  if (purpose.type !== 'attempt') return agentName
  const attempt = await attempts.find(purpose.attemptId)
  const taskId = attempt === undefined ? undefined : taskIdOf(attempt)
  const task = taskId === undefined ? undefined : await tasks.find(taskId)
  return task === undefined ? agentName : `t${task.cycleNumber}-${task.number} (${agentName})`
}

function firstLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.find((line) => line !== '') ?? ''
}
