import { assertNever } from '../../../domain/assert-never.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { HostFailure, HostRequest } from '../../../ports/session-host.ts'
import type { ContainmentMethod, ContainmentMethods } from './containment-method.ts'
import { bubblewrapCommand } from './sandbox/bubblewrap-command.ts'
import { HOST_SCRIPT } from './spawn-host.ts'

/** The command that the host puts in front of its init. It contains the session and limits what it can reach. */
export async function enclose(
  needs: { readonly methods: ContainmentMethods },
  method: ContainmentMethod,
  request: Pick<HostRequest, 'sandbox' | 'cwd' | 'environment'>,
): Promise<Result<readonly string[], HostFailure>> {
  switch (method.containment) {
    case 'bubblewrap': {
      const { sandbox: policy, cwd, environment } = request
      const ownFiles = [HOST_SCRIPT]
      const command = await bubblewrapCommand(method, { policy, cwd, environment, ownFiles })
      if (!command.ok) {
        return failure({ type: 'sandbox-unavailable', level: 'bubblewrap', problem: command.failure })
      }
      return success([...command.value, ...limitProcesses(needs.methods, method.hasOwnUsers, request)])
    }
    case 'pid-namespace':
      return success([...method.command, ...limitProcesses(needs.methods, method.hasOwnUsers, request)])
    case 'process-group':
      return success([])
    default:
      return assertNever(method)
  }
}

/**
 * Sets the kernel's limit, which is faster than any fork bomb. The kernel counts all processes of a user, so the limit
 * is set only if the session has its own user namespace. Otherwise only the host counts processes.
 */
function limitProcesses(
  { prlimit }: ContainmentMethods,
  hasOwnUsers: boolean,
  { sandbox }: Pick<HostRequest, 'sandbox'>,
): readonly string[] {
  if (prlimit === undefined || !hasOwnUsers || sandbox.maxProcesses === undefined) return []
  return [prlimit, `--nproc=${sandbox.maxProcesses}`]
}
