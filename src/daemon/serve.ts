import { once } from 'node:events'
import { failure, type Result, success } from '../domain/result.ts'
import { ClosingStack } from './closing-stack.ts'
import { openLog } from './daemon-log.ts'
import { takeDatabaseLock } from './database-lock.ts'
import { type Home, openHome } from './home.ts'
import { takeHomeLock } from './home-lock.ts'
import { lockOwnerOf } from './lock-holder.ts'
import { openExternalPostgres } from './postgres/external-postgres.ts'
import { openEmbeddedPostgres } from './postgres/open-embedded-postgres.ts'
import type { PostgresServer } from './postgres/postgres-server.ts'
import { readRegistration } from './registration.ts'
import { KnownSecrets } from './secrets/known-secrets.ts'
import { type Daemon, type DaemonParts, startDaemon } from './start-daemon.ts'
import { describeStartFailure, exitCodeOf, type StartFailure } from './start-failure.ts'
import { openToken } from './token.ts'

export type ServeOptions = {
  readonly home: string
  readonly port?: number
  readonly background: boolean
  readonly stdout: (line: string) => void
  readonly stderr: (line: string) => void
}

/** Runs the daemon until it is told to stop; the answer is the exit code. */
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
  let reason: StartFailure | undefined
  const started = await start(options, stack, (why) => {
    reason ??= why
    stopping.abort()
  })
  if (!started.ok) return report(options, started.failure)
  if (!options.background) {
    options.stdout(`muster is ready at ${started.value.url}`)
    options.stdout('press Ctrl-C to stop; agents that run go on and are taken up again at the next start')
  }
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
  if (reason !== undefined) return report(options, reason)
  if (!options.background) options.stdout('stopping')
  return 0
}

function report(options: ServeOptions, failed: StartFailure): number {
  const words = describeStartFailure(failed)
  options.stderr(`error: ${words.message}`)
  options.stderr(`next: ${words.next}`)
  return exitCodeOf(failed)
}

async function start(
  options: ServeOptions,
  stack: ClosingStack,
  shutdown: DaemonParts['shutdown'],
): Promise<Result<Daemon, StartFailure>> {
  const startedAt = new Date()
  const home = await prepareHome(options.home, stack)
  if (!home.ok) return home
  const secrets = new KnownSecrets()
  const log = openLog(home.value.logFile, secrets.redact)
  dieAloud(log)
  const url = process.env['DATABASE_URL']
  const postgres = await openPostgres(log, home.value, url)
  if (!postgres.ok) return postgres
  stack.defer(() => postgres.value.stop())
  const token = await openToken(home.value.token)
  const { connection } = postgres.value
  const lock = await takeDatabaseLock({ log, connection, owner: lockOwnerOf(options.home, token) })
  if (!lock.ok) return lock
  stack.defer(() => lock.value[Symbol.asyncDispose]())
  const parts: DaemonParts = {
    home: home.value,
    log,
    secrets,
    postgres: postgres.value,
    lock: lock.value,
    isEmbedded: url === undefined,
    token,
    ...(options.port === undefined ? {} : { port: options.port }),
    startedAt,
    shutdown,
  }
  const daemon = await startDaemon(parts)
  if (daemon.ok) stack.defer(() => daemon.value.close())
  return daemon
}

/** A defect ends the daemon, and leaves a trace of itself: what it was doing is taken up by the next one. */
function dieAloud(log: DaemonParts['log']): void {
  process.on('uncaughtException', (error) => {
    log.error({ error: error.stack ?? String(error) }, 'a defect ended the daemon')
    process.exit(70)
  })
}

async function prepareHome(directory: string, stack: ClosingStack): Promise<Result<Home, StartFailure>> {
  try {
    const home = await openHome(directory)
    const lock = takeHomeLock(home.lock)
    if (lock === undefined) {
      const holder = await readRegistration(home.registration)
      return failure({
        type: 'home-taken',
        home: directory,
        ...(holder && { pid: holder.pid, url: holder.url }),
      })
    }
    stack.defer(() => lock[Symbol.dispose]())
    return success(home)
  } catch (error) {
    return failure({
      type: 'home-unusable',
      home: directory,
      problem: error instanceof Error ? error.message : String(error),
    })
  }
}

async function openPostgres(
  log: DaemonParts['log'],
  home: Home,
  url: string | undefined,
): Promise<Result<PostgresServer, StartFailure>> {
  const opened =
    url === undefined
      ? await openEmbeddedPostgres({ log }, { home: home.directory })
      : await openExternalPostgres(url)
  return opened.ok ? opened : failure({ type: 'postgres', failure: opened.failure })
}
