import type { ApiError, Result } from '../client/index.ts'
import type { CommandNeeds } from './command-needs.ts'
import type { DaemonLink } from './daemon/daemon-link.ts'

/**
 * Makes a call, and makes it once more if the daemon is lost during the first. Only for calls that may be repeated
 * after they had their effect.
 */
export async function repeatCall<Data>(
  { output }: Pick<CommandNeeds, 'output'>,
  link: DaemonLink,
  call: () => Promise<Result<Data, ApiError>>,
): Promise<Result<Data, ApiError>> {
  const first = await call()
  if (first.ok || first.failure.status !== 0 || output.closed.aborted) return first
  link.lost(output.note)
  return await call()
}
