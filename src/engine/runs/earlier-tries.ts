import type { EarlierTry } from '../../domain/run/conversation-for.ts'
import type { Run } from '../../domain/run/run.ts'
import type { Records } from '../../ports/store/store.ts'

/** The attempts of a run that have ended, with their last sessions, oldest first. */
export async function earlierTries(
  { attempts, sessions }: Pick<Records, 'attempts' | 'sessions'>,
  { id, taskId }: Pick<Run, 'id' | 'taskId'>,
): Promise<readonly EarlierTry[]> {
  const ofTask = await attempts.listOfTask(taskId)
  const ended = ofTask.filter(
    ({ purpose, state }) => purpose.type === 'visit' && purpose.runId === id && state.type === 'settled',
  )
  return await Promise.all(
    ended.map(async (attempt) => ({ attempt, session: await sessions.find(attempt.sessionId) })),
  )
}
