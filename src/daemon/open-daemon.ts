import { failure, type Result, success } from '../domain/result.ts'
import { claimHome } from './claim-home.ts'
import type { ClosingStack } from './closing-stack.ts'
import type { DaemonFailure } from './daemon-failure.ts'
import { openLog } from './daemon-log.ts'
import { takeDatabaseLock } from './database-lock.ts'
import { findDatabaseUrl } from './database-url.ts'
import type { Home } from './home-files.ts'
import { lockOwnerOf } from './lock-holder.ts'
import { ownDatabase } from './own-database.ts'
import { openExternalPostgres } from './postgres/external-postgres.ts'
import { openEmbeddedPostgres } from './postgres/open-embedded-postgres.ts'
import type { PostgresServer } from './postgres/postgres-server.ts'
import { KnownSecrets } from './secrets/known-secrets.ts'
import { type Daemon, type DaemonParts, startDaemon } from './start-daemon.ts'
import { openToken } from './token.ts'

export type OpenOptions = {
  readonly home: string
  readonly port?: number
  /** Whether this home takes over a database of another home, or gets another database. */
  readonly adoptDatabase?: boolean
  /** Called if the daemon is asked to stop, or has to; with a reason if it has to. */
  readonly shutdown: DaemonParts['shutdown']
  /** Called if the home isn't this daemon's any more. What is closed from then on may belong to the new home. */
  readonly leave: (parts: Pick<DaemonParts, 'log' | 'postgres'>) => void
  readonly whenLogging?: (log: DaemonParts['log']) => void
}

/** A daemon in this process, and what a client needs to call it. */
export type OpenDaemon = Daemon & { readonly token: string }

/** Makes this process the daemon of a home. The stack closes what was opened, also after a failure. */
export async function openDaemon(
  options: OpenOptions,
  stack: ClosingStack,
): Promise<Result<OpenDaemon, DaemonFailure>> {
  const startedAt = new Date()
  const claimed = await claimHome(options.home)
  if (!claimed.ok) return claimed
  const { home, claim, identity } = claimed.value
  stack.defer(() => claim[Symbol.dispose]())
  const secrets = new KnownSecrets()
  const log = openLog(home.logFile, secrets.redact)
  options.whenLogging?.(log)
  const url = await findDatabaseUrl(process.env)
  if (!url.ok) return url
  const postgres = await openPostgres({ log, isOurs: () => claim.isOurs() }, home, url.value)
  if (!postgres.ok) return postgres
  const leaveHome = () => options.leave({ log, postgres: postgres.value })
  claim.watch(leaveHome)
  stack.defer(() => postgres.value.stop())
  const { connection } = postgres.value
  const lock = await takeDatabaseLock({ log, connection, owner: lockOwnerOf(options.home, identity.id) })
  if (!lock.ok) return lock
  stack.defer(() => lock.value[Symbol.asyncDispose]())
  const isEmbedded = url.value === undefined
  const isAdopted = options.adoptDatabase === true
  const owned = await ownDatabase({ log, home, identity }, { connection, isEmbedded, isAdopted })
  if (!owned.ok) return owned
  const token = await openToken(home.token)
  const daemon = await startDaemon({
    ...claimed.value,
    log,
    secrets,
    postgres: postgres.value,
    lock: lock.value,
    fence: { ...owned.value, onRefused: () => options.shutdown({ type: 'database-lost' }) },
    ...(url.value === undefined ? {} : { databaseUrl: url.value }),
    token,
    ...(options.port === undefined ? {} : { port: options.port }),
    startedAt,
    shutdown: options.shutdown,
  })
  if (daemon.ok) stack.defer(() => daemon.value.close())
  // Closed first: nothing else may be closed in a home of another.
  stack.defer(() => claim.isOurs() || leaveHome())
  return daemon.ok ? success({ ...daemon.value, token }) : daemon
}

export async function openPostgres(
  needs: Pick<DaemonParts, 'log'> & { readonly isOurs?: () => boolean },
  home: Home,
  url: string | undefined,
): Promise<Result<PostgresServer, Extract<DaemonFailure, { type: 'postgres' }>>> {
  const opened =
    url === undefined
      ? await openEmbeddedPostgres(needs, { home: home.directory })
      : await openExternalPostgres(url)
  return opened.ok ? opened : failure({ type: 'postgres', failure: opened.failure })
}
