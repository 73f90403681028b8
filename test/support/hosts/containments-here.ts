import { findContainments } from '../../../src/adapters/hosts/local/find-containments.ts'
import type { Containment } from '../../../src/domain/session/sandbox-policy.ts'

export type ContainmentHere = {
  readonly containment: Containment
  readonly isMissing: boolean
  /** For test titles: the containment and, if its tests are skipped, the reason. */
  readonly name: string
}

/** Every containment, and whether it works on this machine. */
export async function containmentsHere(): Promise<readonly ContainmentHere[]> {
  const { problems } = await findContainments()
  const all = ['bubblewrap', 'pid-namespace', 'process-group'] as const
  return all.map((containment) => {
    const problem = problems[containment]
    const name = problem === undefined ? containment : `${containment} (skipped: ${problem})`
    return { containment, isMissing: problem !== undefined, name }
  })
}
