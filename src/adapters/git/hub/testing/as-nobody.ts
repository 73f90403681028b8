import { execFileSync } from 'node:child_process'
import { setegid, seteuid } from 'node:process'

const NOBODY = 65_534

/** Permissions don't stop root, so this runs as another user, who gets everything in the folder, if one is given. */
export async function asNobody(folder: string | undefined, work: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return await work()
  if (folder !== undefined) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder])
  setegid?.(NOBODY)
  seteuid?.(NOBODY)
  try {
    await work()
  } finally {
    seteuid?.(0)
    setegid?.(0)
  }
}
