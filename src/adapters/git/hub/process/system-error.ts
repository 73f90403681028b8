/** The code of a system call's error (ENOENT, ENOSPC), or nothing for any other thrown thing. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** For the one outcome of a file operation that is as good as success; anything else is thrown on. */
export function ignoreCodes(...codes: readonly string[]): (error: unknown) => void {
  return (error) => {
    if (!codes.includes(systemErrorCode(error) ?? '')) throw error
  }
}
