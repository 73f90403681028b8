import type { Session } from '../../domain/session/session.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import type { Tail } from './read-spools.ts'

/** Which task and which cycle a session's lines belong to, where they belong to one. */
export async function findTailPlace(
  needs: Pick<EngineNeeds, 'store'>,
  { purpose }: Session,
): Promise<Pick<Tail, 'taskId' | 'cycle'>> {
  const { attempts, landings, cycles } = needs.store.read
  const attempt = purpose.type === 'attempt' ? await attempts.find(purpose.attemptId) : undefined
  const landing = purpose.type === 'check' ? await landings.find(purpose.landingId) : undefined
  const taskId = attempt?.taskId ?? landing?.taskId
  const cycle = attempt === undefined ? undefined : await cycles.find(attempt.cycleId)
  return {
    ...(taskId === undefined ? {} : { taskId }),
    ...(cycle === undefined ? {} : { cycle: cycle.number }),
  }
}
