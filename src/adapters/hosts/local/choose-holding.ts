import { failure, type Result, success } from '../../../domain/result.ts'
import type { SandboxPolicy } from '../../../domain/session/sandbox-policy.ts'
import type { HostFailure } from '../../../ports/session-host.ts'
import type { Holding, Holdings } from './holding.ts'

/**
 * The way a session is held. Without a wish the strongest that works; files are then protected only as far as it
 * goes, which is declared. A denied network is never silently allowed.
 */
export function chooseHolding(
  holdings: Pick<Holdings, 'working' | 'problems'>,
  policy: Pick<SandboxPolicy, 'level' | 'network'>,
): Result<Holding, HostFailure> {
  const { level } = policy
  const holding = holdings.working.find(({ containment }) => level === 'auto' || fits(level, containment))
  if (holding === undefined) {
    const problem = level === 'auto' || level === 'none' ? undefined : holdings.problems[level]
    return unavailable(level, problem ?? `${level} does not work on this machine`)
  }
  if (policy.network === 'allow') return success(holding)
  if (holding.containment === 'bubblewrap' && holding.canDenyNetwork) return success(holding)
  const reason = holdings.problems.bubblewrap ?? 'bubblewrap cannot do it here, or is not to be used'
  return unavailable(level, `the network can be denied only by bubblewrap: ${reason}`)
}

/** `none` asks for no limits on what is read and written; being held together until the end limits nothing. */
function fits(level: Exclude<SandboxPolicy['level'], 'auto'>, containment: Holding['containment']): boolean {
  return level === 'none' ? containment !== 'bubblewrap' : containment === level
}

function unavailable(level: string, problem: string) {
  return failure<HostFailure>({ type: 'sandbox-unavailable', level, problem })
}
