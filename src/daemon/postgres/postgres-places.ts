import { randomBytes } from 'node:crypto'
import { chmod, lstat, mkdir, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { failure, type Result, success } from '../../domain/result.ts'
import { ensureOwnedDirectory, type Ownership, readRecord, writeOwnedFile } from './owned-files.ts'
import type { PostgresAccount } from './postgres-account.ts'
import type { PostgresFailure } from './postgres-failure.ts'
import { isSystemError } from './system-error.ts'

export type PostgresPlaces = {
  /** Contains everything below except the log. */
  readonly base: string
  readonly data: string
  readonly logFile: string
}

export type PlaceOptions = {
  readonly home: string
  /** Where root's database goes if its user can't access the folders above home. */
  readonly elsewhere: string
}

const LOCATION_FILE = 'location'
export const PID_FILE = 'postmaster.pid'

/** Decides where the database lives, and creates the folders around it. The decision is stored: data never moves. */
export async function preparePlaces(
  account: PostgresAccount,
  options: PlaceOptions,
): Promise<Result<PostgresPlaces, PostgresFailure>> {
  await mkdir(options.home, { recursive: true, mode: 0o700 })
  const home = await realpath(options.home)
  if (account.isSwitched) await letAccountPass(home)

  const own = ownershipOf(account)
  const logs = join(home, 'logs')
  const folder = join(home, 'postgres')
  const madeFolder = await ensureOwnedDirectory(folder, own)
  if (!madeFolder.ok) return madeFolder
  const madeLogs = await ensureOwnedDirectory(logs, { uid: own.uid, gid: ownGroup(), mode: 0o700 })
  if (!madeLogs.ok) return madeLogs

  const base = await chooseBase(account, { folder, elsewhere: options.elsewhere })
  if (!base.ok) return base
  return success({
    base: base.value,
    data: join(base.value, 'data'),
    logFile: join(logs, 'postgres.log'),
  })
}

/** The file in which the server of a home's database names itself, whether or not it exists. Only reads. */
export async function findPidFile(home: string): Promise<string> {
  const folder = join(home, 'postgres')
  const base = (await readRecord(join(folder, LOCATION_FILE))) ?? folder
  return join(base, 'data', PID_FILE)
}

/** Root owns the folder and gives the database's group only access, so the database can't replace what is in it. */
function ownershipOf(account: PostgresAccount): Ownership {
  return account.isSwitched
    ? { uid: 0, gid: account.gid, mode: 0o710 }
    : { uid: account.uid, gid: account.gid, mode: 0o700 }
}

function ownGroup(): number {
  return process.getgid?.() ?? 0
}

/** Root's home is accessible but not readable for others, because the database runs as another user. */
async function letAccountPass(home: string): Promise<void> {
  const { mode, uid } = await stat(home)
  if (uid === 0 && (mode & 0o011) !== 0o011) await chmod(home, (mode & 0o777) | 0o011)
}

async function chooseBase(
  account: PostgresAccount,
  options: { readonly folder: string; readonly elsewhere: string },
): Promise<Result<string, PostgresFailure>> {
  const record = join(options.folder, LOCATION_FILE)
  const recorded = await readRecord(record)
  if (recorded !== undefined) return ensureBase(account, recorded)

  const blockedBy = await findBlockedFolder(account, options.folder)
  if (blockedBy === undefined) return success(options.folder)
  const unreachable = failure({ type: 'home-unreachable', blockedBy, uid: account.uid } as const)
  if (await hasData(options.folder)) return unreachable

  await mkdir(options.elsewhere, { recursive: true, mode: 0o711 })
  if ((await findBlockedFolder(account, options.elsewhere)) !== undefined) return unreachable
  const base = join(await realpath(options.elsewhere), randomBytes(8).toString('hex'))
  await writeOwnedFile(record, `${base}\n`, { uid: 0, gid: ownGroup() })
  return ensureBase(account, base)
}

async function ensureBase(account: PostgresAccount, base: string): Promise<Result<string, PostgresFailure>> {
  await mkdir(dirname(base), { recursive: true, mode: 0o711 })
  const made = await ensureOwnedDirectory(base, ownershipOf(account))
  return made.ok ? success(base) : made
}

async function hasData(folder: string): Promise<boolean> {
  try {
    await lstat(join(folder, 'data'))
    return true
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false
    throw error
  }
}

/** The topmost folder above `path` that the database's user can't access. Ignores access control lists. */
async function findBlockedFolder(account: PostgresAccount, path: string): Promise<string | undefined> {
  if (!account.isSwitched) return undefined
  const parent = dirname(path)
  const above = parent === path ? undefined : await findBlockedFolder(account, parent)
  if (above !== undefined) return above

  const { mode, uid, gid } = await stat(path)
  return mayPass(account, { mode, uid, gid }) ? undefined : path
}

function mayPass(account: PostgresAccount, folder: Ownership): boolean {
  if (folder.uid === account.uid) return (folder.mode & 0o100) !== 0
  if (folder.gid === account.gid) return (folder.mode & 0o010) !== 0
  return (folder.mode & 0o001) !== 0
}
