import { chmod } from 'node:fs/promises'
import { systemErrorCode } from '../../../domain/system-error.ts'
import { isAbsence } from '../shared/read-if-present.ts'

const DAMAGE: ReadonlySet<string | undefined> = new Set(['EISDIR', 'EACCES', 'ELOOP', 'ENXIO'])

/** An agent outside a sandbox may have taken away the permission to its session's directory. */
export async function regainAccess(directory: string): Promise<void> {
  try {
    await chmod(directory, 0o700)
  } catch (error) {
    if (!isAbsence(error)) throw error
  }
}

/** Accepts that a file can't be read because an agent outside a sandbox put something else in its place. */
export function ignoreDamage(error: unknown): undefined {
  if (!DAMAGE.has(systemErrorCode(error))) throw error
}
