import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { failure, type Result, success } from '../domain/result.ts'
import { isRestoreUnfinished } from './backup/restore-mark.ts'
import { claimHome, claimUnfinishedHome } from './claim-home.ts'
import { countRunningSessions } from './compose.ts'
import { type DaemonFailure, describeDaemonFailure } from './daemon-failure.ts'
import { LOCK_FILE } from './home-files.ts'
import type { FailureWords } from './postgres/embedded-postgres-failure.ts'
import { stopLeftServer } from './postgres/stop-left-server.ts'

export type Leftovers = { readonly hasStoppedDatabase: boolean; readonly runningSessions: number }

type LeftoversFailure = FailureWords & { readonly type: string }

/** Stops the database that a killed daemon left behind. Sessions continue, as they do when a daemon is shut down. */
export async function stopLeftovers(directory: string): Promise<Result<Leftovers, LeftoversFailure>> {
  // Without a lock, no daemon was ever here, and nothing may be created.
  if (!existsSync(join(directory, LOCK_FILE)))
    return success({ hasStoppedDatabase: false, runningSessions: 0 })
  const claimed = (await isRestoreUnfinished(directory))
    ? await claimUnfinishedHome(directory)
    : await claimHome(directory)
  if (!claimed.ok) return failure(wordsOf(claimed.failure))
  const { claim, home } = claimed.value
  using _held = claim
  const server = await stopLeftServer(home.directory)
  if (!server.ok) return failure(wordsOf({ type: 'postgres', failure: server.failure }))
  if (server.value === 'running') {
    return failure({
      type: 'database-lingers',
      message: `the database in ${home.directory} was asked to stop, but is still running`,
      next: `Read ${join(home.logs, 'postgres.log')}.`,
    })
  }
  return success({
    hasStoppedDatabase: server.value === 'stopped',
    runningSessions: await countRunningSessions(home),
  })
}

function wordsOf(failed: DaemonFailure): LeftoversFailure {
  if (failed.type !== 'home-taken') return { type: failed.type, ...describeDaemonFailure(failed) }
  return {
    type: 'daemon-busy',
    message: 'a daemon is starting or stopping in this home, so it cannot be asked to stop',
    next: 'muster shutdown',
  }
}
