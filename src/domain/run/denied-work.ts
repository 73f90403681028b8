import type { Playbook } from '../playbook/playbook.ts'
import { outcomeOf, type Visit } from './visit.ts'

const REFUSALS: readonly string[] = ['denied', 'expired']

/**
 * The gate at which a person denied exactly this commit, or didn't answer, and nobody allowed it since. Wherever a
 * playbook leads from there, this commit must not land.
 */
export function denyingGate(
  { stages }: Pick<Playbook, 'stages'>,
  visits: readonly Visit[],
  commit: string,
): Visit | undefined {
  const last = visits.findLast((visit) => {
    const isDecided = outcomeOf(visit) === 'allowed' || REFUSALS.includes(outcomeOf(visit) ?? '')
    return visit.commit === commit && stages[visit.stage]?.type === 'gate' && isDecided
  })
  return last !== undefined && REFUSALS.includes(outcomeOf(last) ?? '') ? last : undefined
}
