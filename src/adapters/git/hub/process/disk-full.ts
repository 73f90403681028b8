import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result } from '../../../../domain/result.ts'
import { ignoreCodes } from '../../../../domain/system-error.ts'
import { HubMissing } from '../repository/scratch.ts'

/** Reports a full disk, or a hub that is gone, as a failure whether git or our own code was writing. */
export async function orDiskFull<Value, Failure>(
  path: string,
  work: () => Promise<Result<Value, Failure>>,
): Promise<Result<Value, Failure | GitFailure>> {
  const full = failure<GitFailure>({ type: 'disk-full', path })
  return await work().catch((error: unknown) => {
    if (!(error instanceof HubMissing)) return ignoreCodes('ENOSPC', 'EDQUOT')(error) ?? full
    return failure<GitFailure>({ type: 'git-failed', command: 'git', problem: error.message })
  })
}
