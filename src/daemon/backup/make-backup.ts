import { lstat, mkdtemp, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BackupManifest } from '../../contract/backup.ts'
import type {
  BackupFailure,
  BackupProblem,
  BackupStep,
  BackupSummary,
} from '../../domain/backup/backup-state.ts'
import type { ProjectId } from '../../domain/id.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { ignoreCodes } from '../../domain/system-error.ts'
import type { HubCopies, HubRefs } from '../../ports/hub-copies.ts'
import type { RecordCopies, RecordSnapshot } from '../../ports/record-copies.ts'
import { bytesUsedBy } from '../disk-use.ts'
import { type ArchivePart, ArchiveWriter } from './archive-writer.ts'
import { readAuditTexts } from './audit-texts.ts'
import { fileProblem } from './file-problem.ts'
import { openStaging } from './staging.ts'
import { writeRows } from './stored-rows.ts'

export type BackupNeeds = {
  readonly records: RecordCopies
  readonly hubs: HubCopies
  readonly home: { readonly directory: string; readonly hubs: string }
  readonly version: string
  readonly now: () => Date
}

export type BackupRequest = { readonly file: string; readonly force?: boolean | undefined }

export type OnProgress = (step: BackupStep, done: number, total: number) => void

/**
 * Copies a home that is in use into one file. The file gets its name only when it is complete. The records are those of
 * one moment, and the refs of the hubs are those of the same moment; no hub loses objects during a backup. Left out are
 * the tables of `LEFT_OUT` (`adapters/store/postgres/backup/copied-tables.ts`), working trees, spools and the token.
 */
export async function makeBackup(
  needs: BackupNeeds,
  request: BackupRequest,
  onProgress: OnProgress,
): Promise<Result<BackupSummary, BackupFailure>> {
  const { file } = request
  try {
    if (await isTaken(request)) return failure({ type: 'backup-file-exists', file })
    await using staging = await openStaging(file)
    const archive = join(staging.path, 'archive')
    const written = await writeArchive(needs, { file, archive, staging: staging.path }, onProgress)
    if (!written.ok) return written
    if (await isTaken(request)) return failure({ type: 'backup-file-exists', file })
    const { size: bytes } = await stat(archive)
    // From here on there is a backup, so nothing else may fail.
    await rename(archive, file)
    return success({ ...written.value, file, bytes })
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error
    return failure({ type: 'backup-unwritable', file, problem: fileProblem(error) })
  }
}

async function isTaken({ file, force }: BackupRequest): Promise<boolean> {
  if (force === true) return false
  return (await lstat(file).catch(ignoreCodes('ENOENT'))) !== undefined
}

type Places = { readonly file: string; readonly archive: string; readonly staging: string }
type Written = Pick<BackupSummary, 'rows' | 'hubs' | 'problems'>

async function writeArchive(
  needs: BackupNeeds,
  places: Places,
  onProgress: OnProgress,
): Promise<Result<Written, BackupFailure>> {
  await using writer = await ArchiveWriter.create(places.archive)
  // Read before the records, so that they remember no row that the records don't contain.
  const audit = await readAuditTexts(needs.home.directory)
  const copied = await withQuietHubs(needs, async (snapshot, hubs) => {
    const space = await checkSpace(needs, places.file, snapshot.bytes)
    if (!space.ok) return space
    const { schema, tables } = snapshot
    const records = await writeRecords(writer, places.staging, snapshot, onProgress)
    return success({ schema, tables: [...tables], hubs, ...records })
  })
  if (!copied.ok) return copied
  const { hubs, rows, schema, tables } = copied.value
  const packed = await writeHubs(needs, writer, { ...places, hubs }, onProgress)
  const parts = [...copied.value.parts, ...packed.parts]
  for (const { name, text } of audit) parts.push(await writer.addText(`home/${name}`, text))
  const manifest: BackupManifest = {
    format: 1,
    version: needs.version,
    schema,
    madeAt: needs.now().toISOString(),
    tables,
    hubs: packed.hubs,
    parts,
  }
  await writer.addText('manifest.json', `${JSON.stringify(manifest, undefined, 1)}\n`)
  await writer.finish()
  return success({ rows, hubs: packed.hubs.length, problems: packed.problems })
}

type RefsOf = ReadonlyMap<ProjectId, Result<HubRefs, unknown>>

const QUIET_TRIES = 5

/**
 * Reads the refs before and after the moment of the snapshot. If they differ, an agent's work came in just then, and
 * another moment is chosen. In a home that is never quiet, the last one is used: it is as if the daemon had been killed
 * in the middle of a change, which the next daemon finishes.
 */
async function withQuietHubs<Value>(
  needs: Pick<BackupNeeds, 'records' | 'hubs'>,
  work: (snapshot: RecordSnapshot, refs: RefsOf) => Promise<Value>,
): Promise<Value> {
  for (let tries = 1; ; tries += 1) {
    const before = await readAllRefs(needs.hubs)
    const worked = await needs.records.read(async (snapshot) => {
      const after = await readAllRefs(needs.hubs)
      const isQuiet = JSON.stringify([...before]) === JSON.stringify([...after])
      return isQuiet || tries === QUIET_TRIES ? { value: await work(snapshot, after) } : undefined
    })
    if (worked !== undefined) return worked.value
  }
}

async function readAllRefs(hubs: HubCopies): Promise<RefsOf> {
  const all = new Map<ProjectId, Result<HubRefs, unknown>>()
  for (const project of await hubs.list()) all.set(project, await hubs.refs(project))
  return all
}

async function checkSpace(
  { home }: Pick<BackupNeeds, 'home'>,
  file: string,
  recordBytes: number,
): Promise<Result<void, BackupFailure>> {
  // The largest part exists twice for a moment: alone, and in the archive.
  const neededBytes = 2 * (recordBytes + (await bytesUsedBy(home.hubs)))
  const { bavail, bsize } = await statfs(dirname(file))
  const [freeMb, neededMb] = [bavail * bsize, neededBytes].map((bytes) => Math.ceil(bytes / 2 ** 20))
  if (freeMb === undefined || neededMb === undefined || freeMb >= neededMb) return success(undefined)
  return failure({ type: 'backup-no-space', file, freeMb, neededMb })
}

async function writeRecords(
  writer: ArchiveWriter,
  staging: string,
  snapshot: RecordSnapshot,
  onProgress: OnProgress,
): Promise<{ readonly parts: readonly ArchivePart[]; readonly rows: number }> {
  const parts: ArchivePart[] = []
  const path = join(staging, 'rows')
  let rows = 0
  for (const [index, table] of snapshot.tables.entries()) {
    onProgress('records', index, snapshot.tables.length)
    rows += await writeRows(path, snapshot.rows(table))
    parts.push(await writer.addFile(`records/${table}.gz`, path))
    await rm(path)
  }
  return { parts, rows }
}

type Packed = {
  readonly parts: readonly ArchivePart[]
  readonly hubs: string[]
  readonly problems: readonly BackupProblem[]
}

/** A hub that can't be read is left out and reported: the rest is worth keeping even then. */
async function writeHubs(
  needs: Pick<BackupNeeds, 'hubs'>,
  writer: ArchiveWriter,
  { staging, hubs }: Places & { readonly hubs: RefsOf },
  onProgress: OnProgress,
): Promise<Packed> {
  const parts: ArchivePart[] = []
  const copied: string[] = []
  const problems: BackupProblem[] = []
  for (const [index, [project, refs]] of [...hubs].entries()) {
    onProgress('repositories', index, hubs.size)
    const directory = await mkdtemp(join(staging, 'hub-'))
    const packed = await needs.hubs.pack(project, directory)
    if (!refs.ok || !packed.ok) {
      problems.push({ project, problem: describe(packed.ok ? refs : packed) })
      continue
    }
    const { pack, shallow } = packed.value
    const at = `hubs/${project}`
    parts.push(await writer.addFile(`${at}/objects.pack`, pack))
    parts.push(await writer.addText(`${at}/refs.json`, JSON.stringify(refs.value)))
    if (shallow !== undefined) parts.push(await writer.addText(`${at}/shallow`, shallow.toString('latin1')))
    copied.push(project)
    await rm(directory, { recursive: true })
  }
  return { parts, hubs: copied, problems }
}

function describe(result: Result<unknown, unknown>): string {
  if (result.ok) return ''
  const failed = result.failure as { readonly type?: string; readonly problem?: string }
  return failed.problem ?? failed.type ?? 'it could not be read'
}
