import { attemptRulesOf } from '../../domain/attempt/attempt-purpose.ts'
import type { Run } from '../../domain/run/run.ts'
import type { Reads } from './find-record.ts'

/** Whether the visits of a run left work, and nothing of its task has landed: only then is there something to recover. */
export async function hasUnlandedWork(
  { store: { read } }: Reads,
  { id, taskId }: Pick<Run, 'id' | 'taskId'>,
): Promise<boolean> {
  const [attempts, landings] = await Promise.all([
    read.attempts.listOfTask(taskId),
    read.landings.listOfTask(taskId),
  ])
  if (landings.some(({ state }) => state.type === 'landed')) return false
  return attempts.some((attempt) => {
    const { purpose, tip, baseCommit } = attempt
    const isOwn = purpose.type === 'visit' && purpose.runId === id
    return isOwn && attemptRulesOf(attempt).makesWork && tip !== undefined && tip !== baseCommit
  })
}
