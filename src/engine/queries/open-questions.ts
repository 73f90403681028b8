import type { JobId } from '../../domain/id.ts'
import { LIST_LIMITS } from '../../domain/limits/list-limits.ts'
import type { Message } from '../../domain/message/message.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Task } from '../../domain/task/task.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Reads } from './find-record.ts'
import { viewSessions } from './sessions.ts'

/** An agent's question to a person, with the task that the agent works on. */
export type OpenQuestion = { readonly message: Message; readonly agentName: string; readonly task?: Task }

/** Questions that no one has answered, from those of these sessions that can still receive an answer. */
export async function listUnanswered(
  needs: Reads,
  sessions: readonly Session[],
  jobId?: JobId,
): Promise<readonly Message[]> {
  const filter = withoutUndefined({ recipient: 'person', kind: 'question', jobId } as const)
  const asked = await needs.store.read.messages.list(filter, { limit: LIST_LIMITS.openQuestions })
  const live = new Set<string>(
    sessions.filter(({ state }) => state.type !== 'terminated').map(({ id }) => id),
  )
  return asked.filter(
    ({ state, sender }) => (state.type === 'queued' || state.type === 'delivered') && live.has(sender),
  )
}

/** The same, with the asking session. */
export async function listOpenQuestions(
  needs: Reads,
  sessions: readonly Session[],
  jobId?: JobId,
): Promise<readonly OpenQuestion[]> {
  const messages = await listUnanswered(needs, sessions, jobId)
  const senders = new Set<string>(messages.map(({ sender }) => sender))
  const askers = await viewSessions(
    needs,
    sessions.filter(({ id }) => senders.has(id)),
  )
  const tasks = await needs.store.read.tasks.findMany(askers.flatMap(({ taskId }) => taskId ?? []))
  return messages.flatMap((message) => {
    const asker = askers.find(({ session }) => session.id === message.sender)
    if (asker === undefined) return []
    const task = tasks.find(({ id }) => id === asker.taskId)
    return [withoutUndefined({ message, agentName: asker.session.agentName, task })]
  })
}
