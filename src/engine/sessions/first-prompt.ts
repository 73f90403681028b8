import { taskIdOf } from '../../domain/attempt/attempt-purpose.ts'
import type { Session } from '../../domain/session/session.ts'
import { promptOf } from '../attempts/attempt-prompt.ts'
import type { EngineNeeds } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'store' | 'branches' | 'history' | 'settings'>

/** What a session was asked to do when it began, made anew from the rows. */
export async function firstPromptOf(needs: Needs, session: Session): Promise<string> {
  const { purpose } = session
  if (purpose.type === 'standing') return purpose.prompt
  if (purpose.type === 'query') return purpose.question
  if (purpose.type === 'check') return ''
  const { read } = needs.store
  const attempt = await read.attempts.find(purpose.attemptId)
  const job = attempt === undefined ? undefined : await read.jobs.find(attempt.jobId)
  if (attempt === undefined || job === undefined) return ''
  const taskId = taskIdOf(attempt)
  const task = taskId === undefined ? undefined : await read.tasks.find(taskId)
  return await promptOf(needs, job, attempt, task)
}
