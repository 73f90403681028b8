import type { Containment } from '../../../../domain/session/sandbox-policy.ts'
import { findHoldings } from '../find-holdings.ts'

export type ContainmentHere = {
  readonly containment: Containment
  readonly isMissing: boolean
  /** For titles: the containment, and why its tests are skipped if they are. */
  readonly name: string
}

/** Every containment there is, and whether this machine has it. */
export async function containmentsHere(): Promise<readonly ContainmentHere[]> {
  const { problems } = await findHoldings()
  const all = ['bubblewrap', 'pid-namespace', 'process-group'] as const
  return all.map((containment) => {
    const problem = problems[containment]
    const name = problem === undefined ? containment : `${containment} (skipped: ${problem})`
    return { containment, isMissing: problem !== undefined, name }
  })
}
