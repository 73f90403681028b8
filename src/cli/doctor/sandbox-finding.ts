import type { DaemonStatus } from '../../client/index.ts'
import { assertNever } from '../../domain/assert-never.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { safeLine } from '../render/text/safe-text.ts'
import type { ListedAgents } from './agent-findings.ts'
import { ALLOW_NAMESPACES, bubblewrapAdvice, EVERY_COMMAND_ASKS } from './bubblewrap-advice.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

type Containment = DaemonStatus['containment']

export const USE_STRONGEST =
  'remove `sandbox.level` from ~/.config/muster/config.yaml and muster.yaml, and unset MUSTER_SANDBOX'

const USE_WEAKER =
  'solve that, or set `sandbox.level: pid-namespace`, which hides nothing from agents; then: muster doctor'

/** Which sandbox agents get here: what the configuration requests, or else the strongest that works. */
export async function sandboxFinding(
  needs: CommandNeeds,
  { containment }: DaemonStatus,
  listed: ListedAgents,
): Promise<Finding> {
  if (!listed.ok) {
    return warn('sandbox', "unknown, because the configuration can't be read", 'muster list agents')
  }
  const advice = await bubblewrapAdvice(needs.surroundings.environment['PATH'] ?? '', process.platform)
  const { sandboxLevel = 'auto', sandboxProblem } = listed.value
  if (sandboxProblem !== undefined && containment === 'bubblewrap') {
    return fail('sandbox', `no session can start: ${safeLine(sandboxProblem)}`, USE_WEAKER)
  }
  if (sandboxLevel === 'auto') return strongestFinding(containment, advice)
  if (sandboxLevel !== 'bubblewrap') {
    const detail = `your configuration sets ${sandboxLevel}: agents can read and change all your files;`
    return warn('sandbox', `${detail}\n${EVERY_COMMAND_ASKS}`, USE_STRONGEST)
  }
  if (containment === 'bubblewrap') return strongestFinding(containment, advice)
  return fail('sandbox', "your configuration requires bubblewrap, which doesn't work here", advice)
}

function strongestFinding(containment: Containment, advice: string): Finding {
  switch (containment) {
    case 'bubblewrap':
      return ok(
        'sandbox',
        'bubblewrap: agents see and change only what they need, and no process survives a stop',
      )
    case 'pid-namespace':
      return warn(
        'sandbox',
        `PID namespaces: no process survives a stop, but agents can see all files;\n${EVERY_COMMAND_ASKS}`,
        `${advice}, then: muster shutdown, muster doctor`,
      )
    case 'process-group':
      return warn(
        'sandbox',
        `none: detached child processes can survive a stop, and agents can see all files;\n${EVERY_COMMAND_ASKS}`,
        `${advice.startsWith(ALLOW_NAMESPACES) ? '' : `${ALLOW_NAMESPACES}; `}${advice}; then: muster shutdown, muster doctor`,
      )
    default:
      return assertNever(containment)
  }
}
