import { failure, type Result, success } from '../../domain/result.ts'
import type { Log } from '../../ports/log.ts'
import { EmbeddedPostgres } from './embedded-postgres.ts'
import type { PostgresFailure } from './postgres-failure.ts'
import { type ClusterOptions, prepareCluster } from './prepare-cluster.ts'
import { nameSystemError } from './system-error.ts'

type Needs = { readonly log: Log; readonly isOurs?: () => boolean }

export type EmbeddedPostgresOptions = ClusterOptions & { readonly startTimeoutMs?: number }

const START_TIMEOUT_MS = 60_000

/**
 * The database under `home`, running: created on the first call, adopted or started on later ones. The caller holds the
 * home's lock; two daemons must not open one home at the same time.
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
