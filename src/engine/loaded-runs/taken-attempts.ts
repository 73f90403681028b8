import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Visit } from '../../domain/run/visit.ts'
import type { Records } from '../../ports/store/store.ts'

/** The attempts of other runs whose results a run took. */
export async function takenAttempts(
  { attempts }: Pick<Records, 'attempts'>,
  visits: readonly Visit[],
): Promise<readonly Attempt[]> {
  const ids = visits.flatMap(({ taken }) => (taken?.attemptId === undefined ? [] : [taken.attemptId]))
  return ids.length === 0 ? [] : await attempts.findMany(ids)
}
