import { chown, lstat, mkdtemp, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Result, success } from '../../domain/result.ts'
import type { Cluster } from './cluster.ts'
import { ensureOwnedDirectory, readRecord, writeOwnedFile } from './owned-files.ts'
import type { PostgresAccount } from './postgres-account.ts'
import type { PostgresFailure } from './postgres-failure.ts'
import { isSystemError } from './system-error.ts'

export const SOCKET_PORT = 5432
/** The shortest limit among supported systems (macOS: 104 bytes including the closing zero). */
const LONGEST_SOCKET_PATH = 103
const RECORD_FILE = 'socket-directory'

/** A private folder for the database's socket: below `base`, or in /tmp if that path is too long for a socket. */
export async function prepareSocketDirectory(
  account: PostgresAccount,
  base: string,
): Promise<Result<string, PostgresFailure>> {
  const near = join(base, 'run')
  if (Buffer.byteLength(socketPath(near)) > LONGEST_SOCKET_PATH) {
    return success(await prepareShortDirectory(account, base))
  }

  const made = await ensureOwnedDirectory(near, { uid: account.uid, gid: account.gid, mode: 0o700 })
  return made.ok ? success(near) : made
}

export function socketPath(directory: string): string {
  return join(directory, `.s.PGSQL.${SOCKET_PORT}`)
}

async function prepareShortDirectory(account: PostgresAccount, base: string): Promise<string> {
  const record = join(base, RECORD_FILE)
  const recorded = await readRecord(record)
  if (recorded !== undefined && (await isPrivate(account, recorded))) return recorded

  const directory = await mkdtemp('/tmp/muster-pg-')
  if (account.isSwitched) await chown(directory, account.uid, account.gid)
  await writeOwnedFile(record, `${directory}\n`, {
    uid: process.getuid?.() ?? 0,
    gid: process.getgid?.() ?? 0,
  })
  return directory
}

/** A stopped server leaves nothing in /tmp. */
export async function removeShortDirectory(cluster: Cluster): Promise<void> {
  if (cluster.socketDirectory.startsWith(cluster.places.base)) return
  try {
    await rmdir(cluster.socketDirectory)
  } catch (error) {
    // Already gone, or in use by a server that did not stop.
    if (!isSystemError(error, 'ENOENT', 'ENOTEMPTY')) throw error
  }
}

/** After a reboot, anyone may have created a folder of that name. */
async function isPrivate(account: PostgresAccount, directory: string): Promise<boolean> {
  try {
    const found = await lstat(directory)
    return found.isDirectory() && found.uid === account.uid && (found.mode & 0o077) === 0
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false
    throw error
  }
}
