import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result } from '../../../../domain/result.ts'
import { systemErrorCode } from './system-error.ts'

/** A full disk met by our own file writes is the same expected failure as one met by git's. */
export async function orDiskFull<Value, Failure>(
  path: string,
  work: () => Promise<Result<Value, Failure>>,
): Promise<Result<Value, Failure | GitFailure>> {
  try {
    return await work()
  } catch (error) {
    const code = systemErrorCode(error)
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error
    return failure({ type: 'disk-full', path })
  }
}
