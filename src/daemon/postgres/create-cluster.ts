import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lchown, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Cluster } from './cluster.ts'
import {
  DATABASE,
  INCLUDE_LINE,
  ROLE,
  renderAccessRules,
  renderIdentityMap,
  renderSettings,
  SETTINGS_FILE,
} from './cluster-settings.ts'
import { removeLeftovers, writeOwnedFile } from './owned-files.ts'
import type { PostgresFailure } from './postgres-failure.ts'
import { type ProgramOutcome, type ProgramRun, runPostgresProgram } from './run-postgres-program.ts'
import { countFreeBytes } from './system-error.ts'

const CREATE_TIMEOUT_MS = 120_000
const UNFINISHED = 'data.new-'
const LINES_KEPT = 20

/** Creates the database in a temporary folder and moves it into place whole, so a crash leaves no half database. */
export async function createCluster(cluster: Cluster): Promise<Result<void, PostgresFailure>> {
  const { base, data } = cluster.places
  await removeLeftovers(base, UNFINISHED)
  const fresh = join(base, `${UNFINISHED}${randomBytes(6).toString('hex')}`)
  try {
    const filled = await fillDirectory(cluster, fresh)
    if (!filled.ok) return filled
    await rename(fresh, data)
    await syncDirectory(base)
    return filled
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

async function fillDirectory(cluster: Cluster, fresh: string): Promise<Result<void, PostgresFailure>> {
  const { account, binaries } = cluster
  await mkdir(fresh, { mode: 0o700 })
  await lchown(fresh, account.uid, account.gid)

  const steps: readonly Pick<ProgramRun, 'program' | 'arguments' | 'input'>[] = [
    { program: binaries.initdb, arguments: INITDB_ARGUMENTS },
    {
      program: binaries.postgres,
      arguments: ['--single', '-c', 'exit_on_error=on', 'postgres'],
      input: `CREATE DATABASE ${DATABASE};\n`,
    },
  ]
  for (const step of steps) {
    const outcome = await runPostgresProgram(account, {
      ...step,
      timeoutMs: CREATE_TIMEOUT_MS,
      environment: { PGDATA: fresh },
    })
    if (outcome.type !== 'done') return failure(await nameOutcome(cluster, outcome))
  }
  await writeConfiguration(cluster, fresh)
  return success(undefined)
}

const INITDB_ARGUMENTS = [
  `--username=${ROLE}`,
  '--encoding=UTF8',
  '--no-locale',
  // The server's built-in collation: the order of text doesn't change with the system's libraries.
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--auth-local=peer',
  '--auth-host=reject',
  '--no-instructions',
]

async function writeConfiguration(cluster: Cluster, directory: string): Promise<void> {
  await writeOwnedFile(join(directory, 'pg_hba.conf'), renderAccessRules(), cluster.account)
  await writeOwnedFile(
    join(directory, 'pg_ident.conf'),
    renderIdentityMap(cluster.account.daemonUser),
    cluster.account,
  )
  await writeSettings(cluster, directory)
  await appendInclude(join(directory, 'postgresql.conf'))
  await syncDirectory(directory)
}

/** The directory belongs to the database's user: root must not follow a link placed there. */
async function appendInclude(path: string): Promise<void> {
  await using file = await open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW)
  await file.writeFile(INCLUDE_LINE)
  await file.sync()
}

/** Updates the settings, which take effect at the next start. */
export async function writeSettings(cluster: Cluster, directory: string): Promise<void> {
  await writeOwnedFile(
    join(directory, SETTINGS_FILE),
    renderSettings(cluster.socketDirectory),
    cluster.account,
  )
}

async function nameOutcome(
  cluster: Cluster,
  outcome: Exclude<ProgramOutcome, { type: 'done' }>,
): Promise<PostgresFailure> {
  const directory = cluster.places.data
  if (outcome.type === 'timed-out') {
    return {
      type: 'timeout',
      step: 'create',
      waitedMs: CREATE_TIMEOUT_MS,
      logFile: cluster.places.logFile,
    }
  }
  if (outcome.type === 'not-started') {
    const detail = `it could not be started (${outcome.code}).`
    return { type: 'binaries-unusable', path: cluster.binaries.initdb, detail }
  }
  if (/No space left on device|Disk quota exceeded/.test(outcome.output)) {
    return { type: 'no-space', directory, freeBytes: await countFreeBytes(cluster.places.base) }
  }
  if (/could not look up effective user ID/.test(outcome.output)) {
    const detail = 'no user on this system has that ID.'
    return { type: 'account-unusable', uid: cluster.account.uid, detail }
  }
  return {
    type: 'create-refused',
    directory,
    lastLines: outcome.output.trim().split('\n').slice(-LINES_KEPT),
  }
}

async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, 'r')
  await directory.sync()
}
