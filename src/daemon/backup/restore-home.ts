import { createWriteStream } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type ProjectId, parseId } from '../../domain/id.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { ignoreCodes } from '../../domain/system-error.ts'
import type { CrashPoints } from '../../ports/crash-points.ts'
import type { HubCopies, HubRefs } from '../../ports/hub-copies.ts'
import type { LoadFailure, RecordCopies } from '../../ports/record-copies.ts'
import type { Change } from '../../ports/store/change.ts'
import { ClosingStack } from '../closing-stack.ts'
import { type Home, IDENTITY_FILE, LOCK_FILE, openHome, RESTORING_FILE } from '../home-files.ts'
import { takeHomeLock } from '../home-lock.ts'
import type { PostgresFailure } from '../postgres/postgres-failure.ts'
import { writeFileWhole } from '../write-file-whole.ts'
import { auditNameOf } from './audit-texts.ts'
import { type OpenBackup, type OpenBackupFailure, openBackup } from './open-backup.ts'
import { isPlaceMarked, markPlace, unmarkPlace } from './restore-mark.ts'
import { readRows } from './stored-rows.ts'

export type RestoreRequest = {
  readonly home: string
  readonly file: string
  readonly force?: boolean | undefined
  /** Called once the backup and the place of the home are fine, before the long part. */
  readonly onStart?: (() => void) | undefined
}

export type RestoreSummary = {
  readonly home: string
  /** When the backup was made. */
  readonly madeAt: string
  readonly hubs: number
  /** Where the home that was there before is now. */
  readonly movedTo?: string
}

export type RestoreFailure =
  | OpenBackupFailure
  | LoadFailure
  | { readonly type: 'home-taken'; readonly home: string }
  | { readonly type: 'home-not-empty'; readonly home: string }
  | { readonly type: 'database-running'; readonly home: string; readonly pid: number }
  | { readonly type: 'restore-failed'; readonly home: string; readonly problem: string }
  | { readonly type: 'postgres'; readonly failure: PostgresFailure }

/** The parts of a daemon that a restore fills. */
export type RestoreTarget = {
  readonly records: RecordCopies
  readonly hubs: HubCopies
  note(change: Change): Promise<void>
}

type Needs = {
  /** Starts the home's database and opens everything on it, until the stack is closed. */
  readonly openTarget: (home: Home, stack: ClosingStack) => Promise<Result<RestoreTarget, RestoreFailure>>
  readonly now: () => Date
  readonly crash: CrashPoints
}

/** Where the old home is now, and whether this restore was the one that marked its place. */
type Moved = { readonly to: string; readonly isMarkedHere: boolean }

/**
 * Makes a home from a backup. A home that was there is moved aside first, never deleted, and put back if the restore
 * fails. Whenever a restore is killed, the old home is in its place, or a mark keeps every daemon out.
 */
export async function restoreHome(
  needs: Needs,
  request: RestoreRequest,
): Promise<Result<RestoreSummary, RestoreFailure>> {
  const opened = await openBackup(request.file)
  if (!opened.ok) return opened
  const stamp = needs.now().toISOString().replaceAll(/\W/g, '')
  const cleared = await clearPlace(needs, request, `${request.home}.before-restore-${stamp}`)
  if (!cleared.ok) return cleared
  request.onStart?.()
  const moved = cleared.value
  const home = await openHome(request.home)
  const filled = await fillOwned(needs, home, opened.value)
  if (!filled.ok) return await putBack(needs, filled, request.home, moved)
  const { madeAt, hubs } = opened.value.manifest
  return success({
    home: request.home,
    madeAt,
    hubs: hubs.length,
    ...(moved === undefined ? {} : { movedTo: moved.to }),
  })
}

/** Fills the home while nothing else can use it. What is half filled is removed before the lock is given back. */
async function fillOwned(
  needs: Needs,
  home: Home,
  backup: OpenBackup,
): Promise<Result<void, RestoreFailure>> {
  const lock = takeHomeLock(home.lock)
  if (lock === undefined) return failure({ type: 'home-taken', home: home.directory })
  using _held = lock
  // A daemon may have been here since the place was found empty. Then the home is its own, even if it has ended.
  if (await isUsed(home)) return failure({ type: 'home-taken', home: home.directory })
  await writeFile(home.restoring, '', { mode: 0o600 })
  needs.crash.reach('restore.before-fill')
  const stack = new ClosingStack()
  const filled = await fillHome(needs, home, backup, stack).catch((error: unknown) => {
    const problem = error instanceof Error ? error.message : String(error)
    return failure({ type: 'restore-failed', home: home.directory, problem } as const)
  })
  await stack.close()
  if (!filled.ok) {
    await removeHalfFilled(home)
    return filled
  }
  needs.crash.reach('restore.after-fill')
  await unmarkPlace(home.directory)
  needs.crash.reach('restore.before-end')
  await rm(home.restoring)
  return filled
}

/** The mark goes last, so that what is left is never taken for a home. */
async function removeHalfFilled({ directory }: Home): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name !== RESTORING_FILE) await rm(join(directory, name), { recursive: true, force: true })
  }
  await rm(directory, { recursive: true, force: true })
}

async function isUsed({ directory }: Home): Promise<boolean> {
  const names = await readdir(directory)
  return USED.some((name) => names.includes(name))
}

/** Puts the old home back where it was. A home that someone else is using by now stays, and the old one is kept aside. */
async function putBack(
  { crash }: Pick<Needs, 'crash'>,
  failed: Extract<Result<void, RestoreFailure>, { ok: false }>,
  home: string,
  moved: Moved | undefined,
): Promise<Result<never, RestoreFailure>> {
  if (moved === undefined) return failed
  if (failed.failure.type !== 'home-taken') {
    crash.reach('restore.before-put-back')
    await rename(moved.to, home)
    crash.reach('restore.after-put-back')
    if (moved.isMarkedHere) await unmarkPlace(home)
    return failed
  }
  const problem = `another process uses it now; what was there before is in ${moved.to}`
  return failure({ type: 'restore-failed', home, problem })
}

/** What a daemon leaves in a home. */
const USED = [IDENTITY_FILE, 'daemon.json', 'postgres']

/** Makes sure that nothing is in the way. Returns where the old home is now, if it had to be moved. */
async function clearPlace(
  { crash }: Pick<Needs, 'crash'>,
  { home, force }: RestoreRequest,
  aside: string,
): Promise<Result<Moved | undefined, RestoreFailure>> {
  const names = await readdir(home).catch(ignoreCodes('ENOENT'))
  if (names === undefined || names.length === 0) return success(undefined)
  // Every home has a lock. A directory without one is something else, which is not ours to move, unless a restore was
  // killed before it made the home: then a command may have created a log there.
  if (!names.includes(LOCK_FILE) && !(await isPlaceMarked(home)))
    return failure({ type: 'home-not-empty', home })
  const lock = takeHomeLock(join(home, LOCK_FILE))
  if (lock === undefined) return failure({ type: 'home-taken', home })
  using _held = lock
  if (force !== true) return failure({ type: 'home-not-empty', home })
  const pid = await databasePid(home)
  if (pid !== undefined) return failure({ type: 'database-running', home, pid })
  let isMarkedHere = false
  try {
    isMarkedHere = await markPlace(home)
    crash.reach('restore.before-move')
    await rename(home, aside)
    crash.reach('restore.after-move')
    return success({ to: aside, isMarkedHere })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (isMarkedHere) await unmarkPlace(home)
    return failure({ type: 'restore-failed', home, problem: error.message })
  }
}

/** The process of the home's own database, if one is running. A daemon that was killed leaves it behind. */
async function databasePid(home: string): Promise<number | undefined> {
  const text = await readFile(join(home, 'postgres', 'data', 'postmaster.pid'), 'utf8').catch(
    ignoreCodes('ENOENT'),
  )
  const pid = Number(text?.split('\n', 1)[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  try {
    process.kill(pid, 0)
    return pid
  } catch (error) {
    // It runs as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? pid : undefined
  }
}

async function fillHome(
  needs: Needs,
  home: Home,
  backup: OpenBackup,
  stack: ClosingStack,
): Promise<Result<void, RestoreFailure>> {
  const target = await needs.openTarget(home, stack)
  if (!target.ok) return target
  const { archive, manifest } = backup
  for (const project of manifest.hubs) {
    const restored = await restoreHub(target.value.hubs, home, backup, project)
    if (!restored.ok) return restored
  }
  const loaded = await target.value.records.load({
    schema: manifest.schema,
    tables: manifest.tables,
    rows: (table) => readRows(archive.read(`records/${table}.gz`)),
  })
  if (!loaded.ok) return loaded
  await writeAuditTexts(home, backup)
  const detail = { madeAt: manifest.madeAt, version: manifest.version }
  await target.value.note({ audit: { actor: 'person', action: 'home-restore', subject: 'home', detail } })
  return success(undefined)
}

async function restoreHub(
  hubs: HubCopies,
  home: Home,
  { archive }: OpenBackup,
  name: string,
): Promise<Result<void, RestoreFailure>> {
  const project: ProjectId | undefined = parseId('project', name)
  const at = `hubs/${name}`
  const problem = (text: string) =>
    failure({ type: 'restore-failed', home: home.directory, problem: `${name}: ${text}` } as const)
  if (project === undefined) return problem('it is not the ID of a project')
  const pack = join(home.hubs, `${project}.pack`)
  await pipeline(archive.read(`${at}/objects.pack`), createWriteStream(pack, { mode: 0o600 }))
  const shallow = archive.has(`${at}/shallow`)
    ? Buffer.from(await archive.readText(`${at}/shallow`))
    : undefined
  const refs = JSON.parse(await archive.readText(`${at}/refs.json`)) as HubRefs
  const restored = await hubs.restore(project, { refs, pack, ...(shallow === undefined ? {} : { shallow }) })
  if (restored.ok) return restored
  return problem('problem' in restored.failure ? restored.failure.problem : restored.failure.type)
}

async function writeAuditTexts(home: Home, { archive, manifest }: OpenBackup): Promise<void> {
  for (const { name: part } of manifest.parts) {
    const name = auditNameOf(part)
    if (name !== undefined) await writeFileWhole(join(home.directory, name), await archive.readText(part))
  }
}
