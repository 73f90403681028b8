import { randomBytes } from 'node:crypto'
import { chmod, cp, lstat, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { failure, type Result, success } from '../../domain/result.ts'
import type { PostgresAccount } from './postgres-account.ts'
import type { InstalledBinaries } from './postgres-binaries.ts'
import type { PostgresFailure } from './postgres-failure.ts'
import { removeLeftovers } from './remove-leftovers.ts'
import { runPostgresProgram } from './run-postgres-program.ts'

/** Programs that have been seen to run under the database's user. */
export type RunnableBinaries = {
  readonly initdb: string
  readonly pgCtl: string
  readonly postgres: string
  readonly version: string
  readonly major: string
}

type Needs = { readonly account: PostgresAccount }

const TRIAL_TIMEOUT_MS = 20_000
/** initdb and pg_ctl put the path of `postgres` between double quotes into a shell line of their own. */
const UNSAFE_IN_QUOTES = /["$`\\\n]/

/**
 * The installed programs where the database's user can run them, else a copy under `base` that it can.
 * A copy is needed when the installation lies below a private folder, or was made without install scripts.
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
  if (UNSAFE_IN_QUOTES.test(postgres)) return unusable('its path holds characters that a shell would read.')

  const trial = await runPostgresProgram(needs.account, {
    program: postgres,
    arguments: ['--version'],
    timeoutMs: TRIAL_TIMEOUT_MS,
  })
  if (trial.type === 'not-started' && (trial.code === 'EPERM' || trial.code === 'EINVAL')) {
    return failure({
      type: 'account-unusable',
      uid: needs.account.uid,
      detail: `the system does not let the daemon change to it (${trial.code}).`,
    })
  }
  if (trial.type === 'not-started') return unusable(`it could not be started (${trial.code}).`)
  if (trial.type === 'timed-out') return unusable('it gave no answer.')
  if (trial.type === 'failed') return unusable(trial.output.trim().slice(0, 500))

  const found = /\(PostgreSQL\) ((\d+)\S*)/.exec(trial.output)
  if (found?.[1] === undefined || found[2] === undefined) return unusable('it does not say its version.')
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

/** npm packages carry no symbolic links; an install script makes them from this list, where scripts may run. */
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
  const found = await lstat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  return found !== undefined
}
