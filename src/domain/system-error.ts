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
