import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const NEEDED_BYTES = 2 * 1024 ** 3
const NAME = /^mt-(\d+)-/

/**
 * Lets the tests work in memory where Linux has room for it. They create thousands of repositories, and git and Muster
 * wait for the disk after every write that must survive a crash, which on a disk takes half of the tests' time.
 */
export async function setup(): Promise<() => Promise<void>> {
  const before = process.env['TMPDIR']
  if (before !== undefined || !(await hasRoom())) return () => Promise.resolve()
  await removeLeftovers()
  const path = await mkdtemp(join(MEMORY, `mt-${process.pid}-`))
  // Root's PostgreSQL, which runs as another user, must be able to traverse it.
  await chmod(path, 0o711)
  process.env['TMPDIR'] = path
  return async () => {
    delete process.env['TMPDIR']
    await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

async function hasRoom(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const room = await statfs(MEMORY).catch(() => undefined)
  return room !== undefined && room.bavail * room.bsize > NEEDED_BYTES
}

/** What runs that were killed have left. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(MEMORY)) {
    const pid = NAME.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      await rm(join(MEMORY, name), { recursive: true, force: true })
  }
}
