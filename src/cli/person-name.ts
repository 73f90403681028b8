import { userInfo } from 'node:os'

/** The name of the person this process runs as; one without an entry in the user table is their number. */
export function personName(environment: Readonly<Record<string, string | undefined>>): string {
  try {
    return userInfo().username
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error
    return environment['USER'] || String(process.getuid?.() ?? 'person')
  }
}
