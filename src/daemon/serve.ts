import { once } from 'node:events'
import { failure, type Result } from '../domain/result.ts'
import { claimHome } from './claim-home.ts'
import { ClosingStack } from './closing-stack.ts'
import { type DaemonFailure, describeDaemonFailure, exitCodeOf } from './daemon-failure.ts'
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

export type ServeOptions = {
  readonly home: string
  readonly port?: number
  readonly background: boolean
  /** Whether this home takes over a database of another home, or gets another database. */
  readonly adoptDatabase?: boolean
  readonly stdout: (line: string) => void
  readonly stderr: (line: string) => void
}

/** Runs the daemon until it is asked to stop; returns the exit code. */
export async function serve(options: ServeOptions): Promise<number> {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  const stack = new ClosingStack()
  try {
    return await run(options, stack, stopping)
  } finally {
    await stack.close()
  }
}

async function run(options: ServeOptions, stack: ClosingStack, stopping: AbortController): Promise<number> {
  let reason: DaemonFailure | undefined
  const started = await start(options, stack, (why) => {
    reason ??= why
    stopping.abort()
  })
  if (!started.ok) return report(options, started.failure)
  if (!options.background) {
    options.stdout(`muster is ready at ${started.value.url}`)
    options.stdout('press Ctrl-C to stop; running agents continue, and the next start picks them up')
  }
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
  if (reason !== undefined) return report(options, reason)
  if (!options.background) options.stdout('stopping')
  return 0
}

function report(options: ServeOptions, failed: DaemonFailure): number {
  const words = describeDaemonFailure(failed)
  options.stderr(`error: ${words.message}`)
  options.stderr(`  try: ${words.next}`)
  return exitCodeOf(failed)
}

async function start(
  options: ServeOptions,
  stack: ClosingStack,
  shutdown: DaemonParts['shutdown'],
): Promise<Result<Daemon, DaemonFailure>> {
  const startedAt = new Date()
  const claimed = await claimHome(options.home)
  if (!claimed.ok) return claimed
  const { home, claim, identity } = claimed.value
  stack.defer(() => claim[Symbol.dispose]())
  const secrets = new KnownSecrets()
  const log = openLog(home.logFile, secrets.redact)
  logAndExit(log)
  const url = await findDatabaseUrl(process.env)
  if (!url.ok) return url
  const postgres = await openPostgres({ log, isOurs: () => claim.isOurs() }, home, url.value)
  if (!postgres.ok) return postgres
  const leaveHome = () => leave(options, { log, postgres: postgres.value })
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
  const daemon = await startDaemon({
    ...claimed.value,
    log,
    secrets,
    postgres: postgres.value,
    lock: lock.value,
    fence: { ...owned.value, onRefused: () => shutdown({ type: 'database-lost' }) },
    ...(url.value === undefined ? {} : { databaseUrl: url.value }),
    token: await openToken(home.token),
    ...(options.port === undefined ? {} : { port: options.port }),
    startedAt,
    shutdown,
  })
  if (daemon.ok) stack.defer(() => daemon.value.close())
  // Closed first: nothing else may be closed in a home of another.
  stack.defer(() => claim.isOurs() || leaveHome())
  return daemon
}

/**
 * Ends this process at once if the home isn't its own any more. Nothing is closed: what would be removed or stopped on
 * the way may belong to the new home. Only this daemon's own database server is ended, by its pid.
 */
function leave(options: ServeOptions, { log, postgres }: Pick<DaemonParts, 'log' | 'postgres'>): void {
  const reason = { type: 'home-lost', home: options.home } as const
  log.error({ home: options.home }, 'the home was deleted, moved or replaced; stopping')
  const exitCode = report(options, reason)
  postgres.abandon()
  process.exit(exitCode)
}

/** A defect ends the daemon and is logged; the next daemon picks up its work. */
function logAndExit(log: DaemonParts['log']): void {
  process.on('uncaughtException', (error) => {
    log.error({ error: error.stack ?? String(error) }, 'a defect ended the daemon')
    process.exit(70)
  })
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
