import { assertNever } from '../../../domain/assert-never.ts'
import type { HostRequest } from '../../../ports/session-host.ts'
import type { Holding, Holdings } from './holding.ts'
import { bubblewrapCommand } from './sandbox/bubblewrap-command.ts'
import { HOST_SCRIPT } from './spawn-host.ts'

/** The command that the host puts before its init: it holds the session and limits what it can reach. */
export async function enclose(
  needs: { readonly holdings: Holdings },
  holding: Holding,
  request: Pick<HostRequest, 'sandbox' | 'cwd' | 'environment'>,
): Promise<readonly string[]> {
  switch (holding.containment) {
    case 'bubblewrap': {
      const { sandbox: policy, cwd, environment } = request
      const ownFiles = [HOST_SCRIPT]
      const command = await bubblewrapCommand(holding, { policy, cwd, environment, ownFiles })
      return [...command, ...limitProcesses(needs.holdings, holding.hasOwnUsers, request)]
    }
    case 'pid-namespace':
      return [...holding.command, ...limitProcesses(needs.holdings, holding.hasOwnUsers, request)]
    case 'process-group':
      return []
    default:
      return assertNever(holding)
  }
}

/**
 * The kernel's own limit, which no fork bomb is quick enough for. It counts all of a user's processes, so it fits
 * only where the session has its users to itself; elsewhere the host's count is all there is.
 */
function limitProcesses(
  { prlimit }: Holdings,
  hasOwnUsers: boolean,
  { sandbox }: Pick<HostRequest, 'sandbox'>,
): readonly string[] {
  if (prlimit === undefined || !hasOwnUsers || sandbox.maxProcesses === undefined) return []
  return [prlimit, `--nproc=${sandbox.maxProcesses}`]
}
