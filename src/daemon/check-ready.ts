import { setTimeout as sleep } from 'node:timers/promises'
import { failure, type Result, success } from '../domain/result.ts'
import type { DatabaseLock } from './database-lock.ts'
import type { PostgresServer } from './postgres/postgres-server.ts'
import { tryConnection } from './postgres/try-connection.ts'

type Needs = {
  readonly lock: DatabaseLock
  readonly postgres: PostgresServer
  /** Any read through the daemon's own connections. */
  readonly read: () => Promise<unknown>
}

export type NotReady = { readonly type: 'store-unavailable'; readonly problem: string }

/** Commands wait five seconds for the whole answer. */
const CONNECT_MS = 1_500
const MEND_MS = 1_500
const LOCK_MS = 1_000
const LOOK_AGAIN_MS = 25

/**
 * Whether the daemon can work. Open connections outlive a deleted socket, so the database is asked over a new one. If
 * that fails, the database is restarted.
 */
export async function checkReady({ lock, postgres, read }: Needs): Promise<Result<void, NotReady>> {
  const answer = await tryConnection(postgres.connection, CONNECT_MS)
  const isReached = answer.type === 'answered' || answer.type === 'full'
  if (!isReached && !(await isMended(postgres))) return unavailable('the database is being restarted')
  if (!(await isRetaken(lock))) return unavailable('the database lock is being retaken')
  try {
    // A connection that broke with the old server is replaced by the second read.
    await read().catch(read)
    return success(undefined)
  } catch (error) {
    return unavailable(error instanceof Error ? error.message : String(error))
  }
}

async function isMended(postgres: PostgresServer): Promise<boolean> {
  const mended = postgres.ensureRunning().then((result) => result.ok)
  return Promise.race([mended, sleep(MEND_MS, false, { ref: false })])
}

/** The lock is lost with its connection and retaken a moment later. */
async function isRetaken(lock: DatabaseLock): Promise<boolean> {
  for (let left = LOCK_MS; !lock.isHeld && left > 0; left -= LOOK_AGAIN_MS) await sleep(LOOK_AGAIN_MS)
  return lock.isHeld
}

function unavailable(problem: string): Result<never, NotReady> {
  return failure({ type: 'store-unavailable', problem })
}
