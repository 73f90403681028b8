import { lstat, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ignoreCodes } from '../../domain/system-error.ts'
import { takeHomeLock } from '../home-lock.ts'

const LOCK = 'lock'
/** A backup that runs has its lock long before this time is over. */
const LOCKED_WITHIN_MS = 10 * 60_000
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
      // The next backup tries again. The backup itself has ended, and its outcome doesn't depend on this.
      await removeStaging(path).catch(() => undefined)
      lock?.[Symbol.dispose]()
    },
  }
}

async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!STAGING.test(name)) continue
    const path = join(directory, name)
    await removeIfEmpty(path)
    if (!(await isOurs(path))) continue
    const lock = tryLock(join(path, LOCK))
    if (lock === undefined) continue
    using _held = lock
    await removeStaging(path)
  }
}

/** The lock goes last: without it, nothing shows that the rest is ours. */
async function removeStaging(path: string): Promise<void> {
  for (const name of await readdir(path)) {
    if (name !== LOCK) await rm(join(path, name), { recursive: true, force: true })
  }
  await rm(path, { recursive: true, force: true })
}

/** A backup that was killed before it had its lock, or after it had removed it, leaves an empty directory. */
async function removeIfEmpty(path: string): Promise<void> {
  const found = await lstat(path).catch(ignoreCodes('ENOENT'))
  if (found?.isDirectory() !== true || found.uid !== process.getuid?.()) return
  if (Date.now() - found.mtimeMs < LOCKED_WITHIN_MS) return
  await rmdir(path).catch(ignoreCodes('ENOENT', 'ENOTEMPTY', 'EEXIST', 'EACCES', 'EPERM', 'EROFS'))
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
