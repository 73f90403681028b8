import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { takeHomeLock } from '../home-lock.ts'

const LOCK = 'lock'
const STAGING = /^\..+\.partial-[A-Za-z0-9]{6}$/
/** Everything that a backup writes there. */
const OWN_FILES = /^(?:lock|archive|rows|hub-[A-Za-z0-9]{6})$/

/**
 * A directory next to the file that is being made, with a lock that ends with this process. Before, removes such
 * directories of backups that were killed. Disposing removes this one.
 */
export async function openStaging(file: string): Promise<AsyncDisposable & { readonly path: string }> {
  await removeAbandoned(dirname(file))
  const path = await mkdtemp(join(dirname(file), `.${basename(file)}.partial-`))
  const lock = tryLock(join(path, LOCK))
  return {
    path,
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true })
      lock?.[Symbol.dispose]()
    },
  }
}

async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!STAGING.test(name)) continue
    const path = join(directory, name)
    if (!(await isOurs(path))) continue
    const lock = tryLock(join(path, LOCK))
    if (lock === undefined) continue
    using _held = lock
    await rm(path, { recursive: true, force: true })
  }
}

/** A directory of this user, with an empty file as its lock and nothing that a backup doesn't write. */
async function isOurs(path: string): Promise<boolean> {
  const [directory, lock] = await Promise.all(
    [path, join(path, LOCK)].map((one) => lstat(one).catch(() => undefined)),
  )
  if (directory?.isDirectory() !== true || directory.uid !== process.getuid?.()) return false
  if (lock?.isFile() !== true || lock.size > 0) return false
  const names = await readdir(path).catch(() => [''])
  return names.every((name) => OWN_FILES.test(name))
}

/** Undefined if another process has the lock, or on a file system that has no locks: then nothing is removed. */
function tryLock(path: string): Disposable | undefined {
  try {
    return takeHomeLock(path)
  } catch {
    return undefined
  }
}
