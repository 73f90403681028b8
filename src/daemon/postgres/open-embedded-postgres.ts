import { failure, type Result, success } from '../../domain/result.ts'
import type { Log } from '../../ports/log.ts'
import type { Cluster } from './cluster.ts'
import { createCluster } from './create-cluster.ts'
import { inspectDataDirectory } from './data-directory.ts'
import { EmbeddedPostgres } from './embedded-postgres.ts'
import { findPostgresAccount } from './postgres-account.ts'
import { findInstalledBinaries } from './postgres-binaries.ts'
import type { PostgresFailure } from './postgres-failure.ts'
import { preparePlaces } from './postgres-places.ts'
import { prepareBinaries } from './runnable-binaries.ts'
import { prepareSocketDirectory } from './socket-directory.ts'
import { nameSystemError } from './system-error.ts'

type Needs = { readonly log: Log }

export type EmbeddedPostgresOptions = {
  readonly home: string
  /** Where root's database goes when its user may not pass through the folders above home. */
  readonly elsewhere?: string
  readonly startTimeoutMs?: number
}

const ELSEWHERE = '/var/lib/muster-postgres'
const START_TIMEOUT_MS = 60_000

/**
 * The database under `home`, running: made on the first call, adopted or started on later ones.
 * The caller holds the home's lock; two daemons must not open one home at the same time.
 */
export async function openEmbeddedPostgres(
  needs: Needs,
  options: EmbeddedPostgresOptions,
): Promise<Result<EmbeddedPostgres, PostgresFailure>> {
  try {
    const cluster = await prepareCluster(options)
    if (!cluster.ok) return cluster

    const postgres = new EmbeddedPostgres(needs, cluster.value, {
      startTimeoutMs: options.startTimeoutMs ?? START_TIMEOUT_MS,
    })
    const running = await postgres.ensureRunning()
    return running.ok ? success(postgres) : running
  } catch (error) {
    return failure(await nameSystemError(error, options.home))
  }
}

async function prepareCluster(options: EmbeddedPostgresOptions): Promise<Result<Cluster, PostgresFailure>> {
  const account = findPostgresAccount()
  if (!account.ok) return account
  const installed = await findInstalledBinaries(import.meta.url)
  if (!installed.ok) return installed
  const places = await preparePlaces(account.value, {
    home: options.home,
    elsewhere: options.elsewhere ?? ELSEWHERE,
  })
  if (!places.ok) return places
  const needs = { account: account.value }
  const binaries = await prepareBinaries(needs, installed.value, places.value.base)
  if (!binaries.ok) return binaries

  const data = await inspectDataDirectory(places.value.data, { ...needs, major: binaries.value.major })
  if (!data.ok) return data
  const socketDirectory = await prepareSocketDirectory(account.value, places.value.base)
  if (!socketDirectory.ok) return socketDirectory

  const cluster = {
    account: account.value,
    binaries: binaries.value,
    places: places.value,
    socketDirectory: socketDirectory.value,
  }
  if (data.value === 'ours') return success(cluster)
  const created = await createCluster(cluster)
  return created.ok ? success(cluster) : created
}
