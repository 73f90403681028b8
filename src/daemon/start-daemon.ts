import { DAEMON_PERIODS } from '../domain/limits/daemon-periods.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { createWorkHandler } from '../engine/handlers/handle-work.ts'
import { cancelJob } from '../engine/jobs/cancel-job.ts'
import { beginJob, pauseJob, resumeJob } from '../engine/jobs/control-job.ts'
import { editDocument } from '../engine/jobs/edit-document.ts'
import type { JobCommands } from '../engine/jobs/job-commands.ts'
import { startJob } from '../engine/jobs/start-job.ts'
import { mergeJob } from '../engine/landing/merge/merge-job.ts'
import { createQueries } from '../engine/queries/queries.ts'
import { reconcile } from '../engine/recovery/reconcile.ts'
import { createSessionCommands } from '../engine/sessions/session-commands.ts'
import type { Log } from '../ports/log.ts'
import { createServer } from '../server/create-server.ts'
import type { ServerNeeds } from '../server/server-needs.ts'
import { ClosingStack } from './closing-stack.ts'
import { type Composition, compose } from './compose.ts'
import type { DatabaseLock } from './database-lock.ts'
import type { Home } from './home.ts'
import { listenAgain } from './listen-again.ts'
import { describeHolder } from './lock-holder.ts'
import { measureLoopLag } from './loop-lag.ts'
import type { PostgresServer } from './postgres/postgres-server.ts'
import { processStart } from './process-start.ts'
import { register, unregister } from './registration.ts'
import { type Repeating, repeat } from './repeat.ts'
import type { KnownSecrets } from './secrets/known-secrets.ts'
import { learnFromRows } from './secrets/which-are-secret.ts'
import type { StartFailure } from './start-failure.ts'
import { sessionOfToken } from './token.ts'
import { musterVersion } from './version.ts'
import { writeFileWhole } from './write-file-whole.ts'
import { writeOwnTool } from './write-own-tool.ts'

export type DaemonParts = {
  readonly home: Home
  readonly log: Log
  /** What this daemon has learnt of so far, also by the log. */
  readonly secrets: KnownSecrets
  readonly postgres: PostgresServer
  /** Held when the daemon starts, and watched for as long as it runs. */
  readonly lock: DatabaseLock
  readonly isEmbedded: boolean
  readonly token: string
  readonly port?: number
  readonly startedAt: Date
  /** Called with a reason when the daemon stops itself. */
  readonly shutdown: (reason?: StartFailure) => void
}

export type Daemon = { readonly url: string; close(): Promise<void> }

/** Brings everything up in the order in which each part is needed, and down in the reverse. */
export async function startDaemon(parts: DaemonParts): Promise<Result<Daemon, StartFailure>> {
  const stack = new ClosingStack()
  const started = await bringUp(parts, stack).catch((error: unknown) => {
    parts.log.error({ error: String(error) }, 'the daemon could not be brought up')
    const problem = error instanceof Error ? error.message : String(error)
    return failure({ type: 'home-unusable', home: parts.home.directory, problem } as const)
  })
  if (!started.ok) await stack.close()
  return started
}

async function bringUp(parts: DaemonParts, stack: ClosingStack): Promise<Result<Daemon, StartFailure>> {
  const { home, log, postgres } = parts
  let url = ''
  let reconciling: Repeating | undefined
  const composition = await compose({
    ...parts,
    daemonUrl: () => url,
    onDatabaseLost: () => restoreDatabase(log, postgres),
    // Work that was under way when the database went has nobody left who would finish it.
    onDatabaseRestored: () => reconciling?.soon(),
  })
  stack.defer(() => composition.close())
  const migrated = await composition.migrate()
  if (!migrated.ok) return failure({ type: 'migration', failure: migrated.failure })
  await learnFromRows(composition.engine, parts.secrets)

  const server = createServer(serverNeedsOf(parts, composition))
  const listening = await listenAgain(server, home.port, parts.port)
  if (!listening.ok) return listening
  url = listening.value.url
  stack.defer(() => server.close())

  await writeOwnTool(home.bin)
  await composition.host.beat()
  closeLater(
    stack,
    repeat(log, 'beat', DAEMON_PERIODS.beatMs, () => composition.host.beat()),
  )
  await composition.feed.start()
  stack.defer(() => composition.feed.close())
  closeLater(stack, composition.tails)
  await composition.queue.start(createWorkHandler(composition.engine, () => requireLock(parts.lock)))
  stack.defer(() => composition.queue.stop())

  const look = async () => {
    requireLock(parts.lock)
    await reconcile({ ...composition.engine, send: (work) => composition.queue.send(work) })
  }
  reconciling = repeat(log, 'reconcile', DAEMON_PERIODS.reconcileMs, look)
  reconciling.soon()
  closeLater(stack, reconciling)
  watchLock(parts, reconciling)
  const keepHead = keepAuditHead(composition, home.auditHead)
  closeLater(stack, repeat(log, 'audit head', DAEMON_PERIODS.auditHeadMs, keepHead))
  await register(home.registration, {
    url,
    pid: process.pid,
    startTime: await processStart(parts.startedAt),
    version: musterVersion(),
  })
  stack.defer(() => unregister(home.registration))
  log.info({ url, version: musterVersion(), containment: composition.host.containment }, 'daemon is ready')
  const close = () => stack.close((error) => log.warn({ error: String(error) }, 'a part did not close'))
  return success({ url, close })
}

/** Work that is refused here is handed out again, and the reconciler runs as soon as the lock is back. */
function requireLock(lock: DatabaseLock): void {
  if (!lock.isHeld) throw new Error('this daemon does not hold the lock on the database')
}

function watchLock({ lock, log, shutdown }: DaemonParts, reconciling: Repeating): void {
  lock.watch({
    onRetaken: () => reconciling.soon(),
    onTaken(holder) {
      log.error({ holder: describeHolder(holder) }, 'another daemon has the database; stopping')
      shutdown({ type: 'database-taken', holder })
    },
  })
}

function closeLater(stack: ClosingStack, part: AsyncDisposable): void {
  stack.defer(() => part[Symbol.asyncDispose]())
}

function restoreDatabase(log: Log, postgres: PostgresServer): void {
  postgres
    .ensureRunning()
    .then((restored) => {
      if (!restored.ok && restored.failure.type !== 'closed') {
        log.error({ failure: restored.failure.type }, 'the database is not there')
      }
    })
    .catch((error: unknown) => log.error({ error: String(error) }, 'the database could not be looked at'))
}

/** The head of the audit chain is kept outside the database too, so that a cut tail shows. */
function keepAuditHead(composition: Composition, path: string): () => Promise<void> {
  let written = -1
  return async () => {
    const head = await composition.auditHead()
    if (head.seq === written) return
    await writeFileWhole(path, `${head.seq} ${head.hash}\n`)
    written = head.seq
  }
}

function serverNeedsOf(parts: DaemonParts, composition: Composition): ServerNeeds {
  const { engine, feed, host } = composition
  const lagOf = process.env['MUSTER_LOOP_LAG'] === '1' ? measureLoopLag() : undefined
  return {
    queries: createQueries({ ...engine, feed }),
    feed,
    jobs: jobCommandsOf(composition),
    sessions: createSessionCommands(engine),
    messages: composition.messages,
    terminals: engine.terminals,
    onAttended: (sessionId, isAttended) => composition.watches.attend(sessionId, isAttended),
    sessionOfToken: (text) => sessionOfToken(parts.token, text),
    redact: parts.secrets.redact,
    token: parts.token,
    version: musterVersion(),
    log: parts.log,
    shutdown: () => parts.shutdown(),
    status: async () => ({
      pid: process.pid,
      version: musterVersion(),
      startedAt: parts.startedAt.toISOString(),
      uptimeMs: Date.now() - parts.startedAt.getTime(),
      home: parts.home.directory,
      containment: host.containment,
      database: parts.isEmbedded ? 'embedded' : 'external',
      ...(lagOf === undefined ? {} : { loopLag: lagOf() }),
    }),
    async ready() {
      if (!parts.lock.isHeld) {
        return failure({ type: 'store-unavailable', problem: 'the lock on the database is being retaken' })
      }
      try {
        await composition.auditHead()
        return success(undefined)
      } catch (error) {
        return failure({
          type: 'store-unavailable',
          problem: error instanceof Error ? error.message : String(error),
        })
      }
    },
  }
}

function jobCommandsOf({ engine }: Composition): JobCommands {
  return {
    start: (request, idempotencyKey) => startJob(engine, request, idempotencyKey),
    begin: (jobId) => beginJob(engine, jobId),
    pause: (jobId) => pauseJob(engine, jobId),
    resume: (jobId) => resumeJob(engine, jobId),
    cancel: (jobId, reason) => cancelJob(engine, jobId, reason),
    edit: (jobId, kind, text) => editDocument(engine, jobId, kind, text),
    merge: (jobId) => mergeJob(engine, jobId),
  }
}
