import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result } from '../../../../domain/result.ts'

/** The code of a failed system call, such as ENOENT. Undefined for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** For `catch`: turns errors with these codes into undefined and rethrows all others. */
export function ignoreCodes(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes(systemErrorCode(error) ?? '')) throw error
    return undefined
  }
}

/** Reports a full disk as the same failure whether git or our own code was writing. */
export async function orDiskFull<Value, Failure>(
  path: string,
  work: () => Promise<Result<Value, Failure>>,
): Promise<Result<Value, Failure | GitFailure>> {
  const full = failure<GitFailure>({ type: 'disk-full', path })
  return await work().catch((error: unknown) => ignoreCodes('ENOSPC', 'EDQUOT')(error) ?? full)
}
