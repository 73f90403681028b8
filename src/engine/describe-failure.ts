import { assertNever } from '../domain/assert-never.ts'
import type { DeliveryFailure } from '../domain/repository/repository-failure.ts'
import type { LaunchFailure } from '../ports/agent-provider.ts'
import type { HostFailure } from '../ports/session-host.ts'

/** Describes a failure as it appears on a task or job. */
export function describeFailure(failed: DeliveryFailure | LaunchFailure | HostFailure): string {
  switch (failed.type) {
    case 'git-missing':
      return 'git is not installed'
    case 'git-too-old':
      return `git ${failed.version} is too old; version ${failed.needed} is needed`
    case 'disk-full':
      return `the disk of ${failed.path} is full`
    case 'git-failed':
      return `${failed.command}: ${failed.problem}`
    case 'branch-checked-out':
      return `it is checked out in ${failed.at}; switch to another branch there`
    case 'branch-diverged':
      return 'it has commits there that Muster does not have'
    case 'repository-moved':
      return `the repository is no longer at ${failed.path}`
    case 'delivery-failed':
    case 'host-unstartable':
      return failed.problem
    case 'agent-misconfigured':
      return `${failed.field} is wrong: ${failed.problem}`
    case 'program-missing':
      return `the program ${failed.program} was not found${'install' in failed ? `; ${failed.install}` : ''}`
    case 'mode-unsupported':
      return `provider ${failed.provider} has no ${failed.mode} mode`
    case 'sandbox-unavailable':
      return `the sandbox ${failed.level} does not work here: ${failed.problem}`
    case 'directory-missing':
      return `there is no directory ${failed.directory}`
    default:
      return assertNever(failed)
  }
}
