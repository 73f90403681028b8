import { failure, type Result, success } from '../../../domain/result.ts'
import type { SandboxPolicy } from '../../../domain/session/sandbox-policy.ts'
import type { HostFailure } from '../../../ports/session-host.ts'
import type { ContainmentMethod, ContainmentMethods } from './containment-method.ts'

/**
 * Chooses how to contain a session. The level `auto` means the strongest method that works here. That may be one that
 * doesn't protect files, which the session's record shows. A denied network is never silently allowed.
 */
export function chooseContainment(
  methods: Pick<ContainmentMethods, 'working' | 'problems'>,
  policy: Pick<SandboxPolicy, 'level' | 'network'>,
): Result<ContainmentMethod, HostFailure> {
  const { level } = policy
  const method = methods.working.find(({ containment }) => level === 'auto' || fits(level, containment))
  if (method === undefined) {
    const problem = level === 'auto' || level === 'none' ? undefined : methods.problems[level]
    return unavailable(level, problem ?? `${level} does not work on this machine`)
  }
  if (policy.network === 'allow') return success(method)
  if (method.containment === 'bubblewrap' && method.canDenyNetwork) return success(method)
  const reason =
    methods.problems.bubblewrap ?? 'it does not work on this machine, or another level was chosen'
  return unavailable(level, `only bubblewrap can deny the network: ${reason}`)
}

/** `none` asks for no limits on file access. Containing the processes doesn't limit that. */
function fits(
  level: Exclude<SandboxPolicy['level'], 'auto'>,
  containment: ContainmentMethod['containment'],
): boolean {
  return level === 'none' ? containment !== 'bubblewrap' : containment === level
}

function unavailable(level: string, problem: string) {
  return failure<HostFailure>({ type: 'sandbox-unavailable', level, problem })
}
