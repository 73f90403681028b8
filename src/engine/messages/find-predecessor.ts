import { predecessorOf } from '../../domain/attempt/predecessor-of.ts'
import type { SessionId } from '../../domain/id.ts'
import type { Records } from '../../ports/store/store.ts'
import type { Author } from './author.ts'

/** The session that handed this attempt over, or the session of the attempt before it. */
export async function findPredecessor(records: Records, author: Author): Promise<SessionId | undefined> {
  const { attemptId, taskId } = author.place
  const attempt = attemptId === undefined ? undefined : await records.attempts.find(attemptId)
  const left = attempt?.handoffs.at(-1)?.from
  if (left !== undefined || attempt === undefined || taskId === undefined) return left
  return predecessorOf(attempt, await records.attempts.listOfTask(taskId))?.sessionId
}
