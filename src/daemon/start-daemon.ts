import { readFileSync } from 'node:fs'
import type { DaemonStatus } from '../contract/daemon-status.ts'
import { DAEMON_PERIODS } from '../domain/limits/daemon-periods.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { createCleanupCommands } from '../engine/cleanup/cleanup-commands.ts'
import { createWorkHandler } from '../engine/handlers/handle-work.ts'
import { cancelJob } from '../engine/jobs/cancel-job.ts'
import { cancelRun } from '../engine/jobs/cancel-run.ts'
import { pauseJob, resumeJob } from '../engine/jobs/control-job.ts'
import { decideBase } from '../engine/jobs/decide-base.ts'
import { forkRun } from '../engine/jobs/fork-run.ts'
import type { JobCommands } from '../engine/jobs/job-commands.ts'
import { editDocument } from '../engine/jobs/job-documents.ts'
import { resumeRun } from '../engine/jobs/resume-run.ts'
import { startJob, startPendingJob } from '../engine/jobs/start-job.ts'
import { mergeJob } from '../engine/landing/merge/merge-job.ts'
import { prepareProposal } from '../engine/landing/proposal/prepare-proposal.ts'
import { createPlaybookQueries } from '../engine/queries/playbooks.ts'
import { createQueries } from '../engine/queries/queries.ts'
import { reconcile } from '../engine/recovery/reconcile.ts'
import { createSessionCommands } from '../engine/sessions/session-commands.ts'
import { createTrustCommands } from '../engine/trust/trust-commands.ts'
import type { Log } from '../ports/log.ts'
import { createServer } from '../server/create-server.ts'
import { auditCheckToWire } from '../server/render/audit-to-wire.ts'
import type { ServerNeeds } from '../server/server-needs.ts'
import { createAuditFiles } from './audit/audit-files.ts'
import { AuditKeeper } from './audit/audit-keeper.ts'
import { BackupRunner } from './backup/backup-runner.ts'
import { checkReady } from './check-ready.ts'
import { listenOnPort } from './choose-port.ts'
import { ClosingStack } from './closing-stack.ts'
import { type Composition, compose, type Fence } from './compose.ts'
import type { DaemonFailure } from './daemon-failure.ts'
import type { DatabaseLock } from './database-lock.ts'
import type { HomeClaim } from './home-claim.ts'
import { type Home, writeOwnTool } from './home-files.ts'
import type { HomeIdentity } from './home-identity.ts'
import { describeHolder } from './lock-holder.ts'
import { measureLoopLag } from './loop-lag.ts'
import { ownEnvironment } from './own-environment.ts'
import type { PostgresServer } from './postgres/postgres-server.ts'
import { register, unregister } from './registration.ts'
import { type Repeating, repeat } from './repeat.ts'
import type { KnownSecrets } from './secrets/known-secrets.ts'
import { learnFromRows } from './secrets/which-are-secret.ts'
import { Storage } from './storage.ts'
import { sessionOfToken } from './token.ts'

export type DaemonParts = {
  readonly home: Home
  /** Held when the daemon starts, and watched as long as it runs. */
  readonly claim: HomeClaim
  readonly identity: HomeIdentity
  readonly log: Log
  /** The secrets known so far, shared with the log. */
  readonly secrets: KnownSecrets
  readonly postgres: PostgresServer
  /** Held when the daemon starts, and watched as long as it runs. */
  readonly lock: DatabaseLock
  readonly fence: Fence
  /** Absent with the embedded database. */
  readonly databaseUrl?: string
  readonly token: string
  readonly port?: number
  readonly startedAt: Date
  /** Called with a reason when the daemon stops itself. */
  readonly shutdown: (reason?: DaemonFailure) => void
}

export type Daemon = { readonly url: string; close(): Promise<void> }

/** Starts everything in the order in which it is needed, and stops it in reverse. */
export async function startDaemon(parts: DaemonParts): Promise<Result<Daemon, DaemonFailure>> {
  const stack = new ClosingStack()
  const started = await bringUp(parts, stack).catch((error: unknown) => {
    parts.log.error({ error: String(error) }, 'the daemon could not be started')
    const problem = error instanceof Error ? error.message : String(error)
    return failure({ type: 'home-unusable', home: parts.home.directory, problem } as const)
  })
  if (!started.ok) await stack.close()
  return started
}

async function bringUp(parts: DaemonParts, stack: ClosingStack): Promise<Result<Daemon, DaemonFailure>> {
  const { home, log, postgres } = parts
  let url = ''
  let reconciling: Repeating | undefined
  const composition = await compose({
    ...parts,
    daemonUrl: () => url,
    onDatabaseLost: () => restoreDatabase(log, postgres),
    // Work that was in progress when the database went away has no one left to finish it.
    onDatabaseRestored: () => reconciling?.soon(),
  })
  stack.defer(() => composition.close())
  await learnFromRows(composition.engine)

  const audit = createAuditKeeper(parts, composition)
  await audit.begin()
  const backup = createBackupRunner(parts, composition)
  closeLater(stack, backup)
  const server = createServer(serverNeedsOf(parts, composition, { audit, backup }))
  const listening = await listenOnPort(server, home.port, parts.port)
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
  await composition.queue.start(createWorkHandler(composition.engine, () => requireOwnership(parts)))
  stack.defer(() => composition.queue.stop())

  const inspect = async () => {
    requireOwnership(parts)
    await reconcile({ ...composition.engine, send: (work) => composition.queue.send(work) })
  }
  reconciling = repeat(log, 'reconcile', DAEMON_PERIODS.reconcileMs, inspect)
  reconciling.soon()
  closeLater(stack, reconciling)
  watchLock(parts, reconciling)
  const auditing = repeat(log, 'audit check', DAEMON_PERIODS.auditHeadMs, () => audit.watch())
  auditing.soon()
  closeLater(stack, auditing)
  await register(home.registration, {
    url,
    startedAt: parts.startedAt,
    version: musterVersion(),
    home: { id: parts.identity.id, ...parts.identity.place },
  })
  stack.defer(() => unregister(home.registration))
  log.info({ url, version: musterVersion(), containment: composition.host.containment }, 'daemon is ready')
  const close = () => stack.close((error) => log.warn({ error: String(error) }, 'a part did not close'))
  return success({ url, close })
}

/** Work refused here is handed out again, and the reconciler runs as soon as the lock is retaken. */
function requireOwnership({ claim, lock }: Pick<DaemonParts, 'claim' | 'lock'>): void {
  claim.require()
  if (!lock.isHeld) throw new Error('this daemon does not hold the database lock')
}

function watchLock({ lock, log, fence, shutdown }: DaemonParts, reconciling: Repeating): void {
  lock.watch({
    fence,
    onRetaken: () => reconciling.soon(),
    onTaken(holder) {
      log.error({ holder: describeHolder(holder) }, 'another daemon uses the database; stopping')
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
        log.error({ failure: restored.failure.type }, 'the database is unavailable')
      }
    })
    .catch((error: unknown) => log.error({ error: String(error) }, 'the database could not be checked'))
}

function createAuditKeeper({ home, log, claim }: DaemonParts, { audit, engine }: Composition): AuditKeeper {
  return new AuditKeeper({
    chain: audit,
    files: createAuditFiles(home.auditHead, () => claim.require()),
    log,
    note: (change) => engine.store.transact((records) => records.note(change)),
  })
}

function createBackupRunner(
  { home, log }: DaemonParts,
  { records, hubs, engine }: Composition,
): BackupRunner {
  return new BackupRunner({
    records,
    hubs,
    home,
    version: musterVersion(),
    now: () => new Date(),
    log,
    note: (change) => engine.store.transact((stored) => stored.note(change)),
  })
}

type RecordKeepers = { readonly audit: AuditKeeper; readonly backup: BackupRunner }

function serverNeedsOf(
  parts: DaemonParts,
  composition: Composition,
  { audit, backup }: RecordKeepers,
): ServerNeeds {
  const { engine, feed, host } = composition
  const storage = new Storage({ home: parts.home.directory, hubs: composition.hubs, read: engine.store.read })
  const lagOf = process.env['MUSTER_LOOP_LAG'] === '1' ? measureLoopLag() : undefined
  return {
    queries: createQueries({ ...engine, feed }),
    feed,
    jobs: jobCommandsOf(composition),
    sessions: createSessionCommands(engine),
    trust: createTrustCommands(engine),
    playbooks: createPlaybookQueries(engine),
    cleanup: createCleanupCommands({
      ...engine,
      upkeep: composition.upkeep,
      withoutBackup: (work) => backup.exclude(work),
    }),
    messages: composition.messages,
    audit: {
      list: (query) => composition.audit.list(query),
      verify: () => audit.verify(),
      accept: () => audit.accept(),
    },
    backup,
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
      database: parts.databaseUrl === undefined ? 'embedded' : 'external',
      audit: auditCheckToWire(audit.check),
      ...(await diskOf(storage)),
      ...(lagOf === undefined ? {} : { loopLag: lagOf() }),
    }),
    storage: () => storage.inspect(),
    environment: () => ownEnvironment({ ...parts, providers: engine.providers, environment: process.env }),
    ready: () => checkReady({ ...parts, read: () => composition.audit.head() }),
  }
}

async function diskOf(storage: Storage): Promise<Pick<DaemonStatus, 'disk'>> {
  const disk = await storage.glance()
  return disk === undefined ? {} : { disk }
}

function jobCommandsOf({ engine }: Composition): JobCommands {
  return {
    start: (request, idempotencyKey) => startJob(engine, request, idempotencyKey),
    startPending: (jobId) => startPendingJob(engine, jobId),
    pause: (jobId) => pauseJob(engine, jobId),
    resume: (jobId) => resumeJob(engine, jobId),
    forkRun: (runId, request, idempotencyKey) => forkRun(engine, runId, request, idempotencyKey),
    resumeRun: (runId, idempotencyKey) => resumeRun(engine, runId, idempotencyKey),
    stopRun: (runId, options) => cancelRun(engine, runId, options),
    cancel: (jobId, reason) => cancelJob(engine, jobId, reason),
    decideBase: (jobId, decision) => decideBase(engine, jobId, decision),
    edit: (jobId, kind, text) => editDocument(engine, jobId, kind, text),
    merge: (jobId, options) => mergeJob(engine, jobId, options),
    propose: (jobId, options) => prepareProposal(engine, jobId, options),
  }
}

/** The version in package.json, which is two folders above both the source and the build. */
function musterVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
