import { existsSync } from 'node:fs'
import { failure, type Result, success } from '../../domain/result.ts'
import type { PostgresFailure } from './postgres-failure.ts'
import { findPidFile } from './postgres-places.ts'
import { readPostmasterFacts } from './postmaster-facts.ts'
import { judgePostmaster } from './postmaster-verdict.ts'
import { prepareCluster } from './prepare-cluster.ts'
import { removeShortDirectory } from './socket-directory.ts'
import { stopPostmaster } from './stop-postmaster.ts'
import { nameSystemError } from './system-error.ts'

export type LeftServer = 'none' | 'stopped' | 'running'

/**
 * Stops the database server that a killed daemon left in a home, if one runs on the home's data. The caller holds the
 * home's lock.
 */
export async function stopLeftServer(home: string): Promise<Result<LeftServer, PostgresFailure>> {
  try {
    // A server that runs or was killed has this file, and then no cluster has to be created below.
    if (!existsSync(await findPidFile(home))) return success('none')
    const cluster = await prepareCluster({ home })
    if (!cluster.ok) return cluster
    const verdict = judgePostmaster(await readPostmasterFacts(cluster.value))
    if (verdict.type === 'absent' || verdict.type === 'stale') return success('none')
    const isStopped = await stopPostmaster(cluster.value)
    await removeShortDirectory(cluster.value)
    return success(isStopped ? 'stopped' : 'running')
  } catch (error) {
    return failure(await nameSystemError(error, home))
  }
}
