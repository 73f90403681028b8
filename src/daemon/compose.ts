import { randomBytes } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCommandProvider } from '../adapters/agents/command/command-provider.ts'
import { createScriptedProvider } from '../adapters/agents/scripted/scripted-provider.ts'
import { createYamlConfiguration } from '../adapters/configuration/yaml/yaml-configuration.ts'
import { createLocalDisk } from '../adapters/disk/local/local-disk.ts'
import { createHub } from '../adapters/git/hub/create-hub.ts'
import { createLocalHost, type LocalHost } from '../adapters/hosts/local/create-local-host.ts'
import { createPgBossQueue } from '../adapters/queue/pg-boss/pg-boss-queue.ts'
import { type AuditHead, readAuditHead } from '../adapters/store/postgres/audit-chain.ts'
import { openDatabase } from '../adapters/store/postgres/database.ts'
import { type MigrationFailure, migrate } from '../adapters/store/postgres/migrate.ts'
import { createPostgresFeed, type PostgresFeed } from '../adapters/store/postgres/postgres-feed.ts'
import { createPostgresStore } from '../adapters/store/postgres/postgres-store.ts'
import type { Result } from '../domain/result.ts'
import type { EngineNeeds, EngineSettings } from '../engine/engine-needs.ts'
import { SessionTails } from '../engine/sessions/session-tails.ts'
import type { Log } from '../ports/log.ts'
import type { WorkQueue } from '../ports/work-queue.ts'
import { createCrashPoints } from './crash-on-purpose.ts'
import type { Home } from './home.ts'
import { passedEnvironment } from './passed-environment.ts'
import type { PostgresServer } from './postgres/postgres-server.ts'
import { createIds } from './system-ids.ts'
import { tokenOfSession } from './token.ts'

export type { MigrationFailure }

export type Composition = {
  readonly engine: EngineNeeds
  readonly feed: PostgresFeed
  readonly queue: WorkQueue
  readonly tails: SessionTails
  readonly host: LocalHost
  migrate(): Promise<Result<void, MigrationFailure>>
  auditHead(): Promise<AuditHead>
  close(): Promise<void>
}

export type CompositionParts = {
  readonly home: Home
  readonly log: Log
  readonly postgres: PostgresServer
  readonly token: string
  readonly daemonUrl: () => string
  readonly onDatabaseLost: (error: Error) => void
  readonly onDatabaseRestored: () => void
}

/** The only place that names adapters: reading it is reading the deployment. */
export async function compose(parts: CompositionParts): Promise<Composition> {
  const { home, log, postgres } = parts
  const connection = { ...postgres.connection }
  const database = openDatabase(connection, parts.onDatabaseLost)
  const queue = createPgBossQueue({ log }, connection)
  const store = createPostgresStore({
    database,
    sendWork: (transaction, work) => queue.sendWithin(transaction, work),
  })
  const feed = createPostgresFeed({
    database,
    connection,
    onLost: parts.onDatabaseLost,
    onRestored: parts.onDatabaseRestored,
  })
  const host = await createLocalHost({ hostsDirectory: home.hosts })
  const clock = { now: () => new Date() }
  const crash = createCrashPoints(process.env['MUSTER_CRASH_AT'])
  const providers = new Map(
    [createCommandProvider(), createScriptedProvider()].map((provider) => [provider.providerId, provider]),
  )
  const settings = settingsOf(parts)
  const tails = new SessionTails({ store, host, providers, clock, log, crash, settings })
  const engine: EngineNeeds = {
    store,
    host,
    providers,
    clock,
    log,
    crash,
    hub: createHub({ hubsDirectory: home.hubs, gitConfigFile: home.gitConfig }),
    disk: createLocalDisk(),
    configuration: createYamlConfiguration({ personFile: personFile(), environment: process.env }),
    ids: createIds(),
    settings,
    adoptSession: (sessionId) => tails.adopt(sessionId),
  }
  return {
    engine,
    feed,
    queue,
    tails,
    host,
    migrate: () => migrate(database),
    auditHead: () => readAuditHead(database),
    close: () => database.destroy(),
  }
}

function personFile(): string {
  const base = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
  return join(base, 'muster', 'config.yaml')
}

function settingsOf(parts: CompositionParts): EngineSettings {
  const number = (name: string, fallback: number) => Number(process.env[name] ?? fallback) || fallback
  return {
    treesDirectory: parts.home.trees,
    passedEnvironment: passedEnvironment(process.env, fileURLToPath(new URL('../../', import.meta.url))),
    daemonUrl: parts.daemonUrl,
    tokenOf: (sessionId) => tokenOfSession(parts.token, sessionId),
    makeBoundary: () => randomBytes(9).toString('hex'),
    maxSessions: number('MUSTER_MAX_SESSIONS', 16),
    outputCapBytes: number('MUSTER_OUTPUT_CAP_MB', 64) * 2 ** 20,
    checkMinutes: number('MUSTER_CHECK_MINUTES', 15),
    stopGraceMs: number('MUSTER_STOP_GRACE_MS', 5_000),
    minimumFreeMb: number('MUSTER_MINIMUM_FREE_MB', 200),
  }
}
