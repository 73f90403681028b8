import { join } from 'node:path'
import { createAcpProvider } from '../adapters/agents/acp/acp-provider.ts'
import { createClaudeCodeProvider } from '../adapters/agents/claude-code/claude-code-provider.ts'
import { createCodexProvider } from '../adapters/agents/codex/codex-provider.ts'
import { createCommandProvider } from '../adapters/agents/command/command-provider.ts'
import { createGeminiProvider } from '../adapters/agents/gemini/gemini-provider.ts'
import { createModelProvider } from '../adapters/agents/model/model-provider.ts'
import { createOpencodeProvider } from '../adapters/agents/opencode/opencode-provider.ts'
import { createScriptedProvider } from '../adapters/agents/scripted/scripted-provider.ts'
import * as databaseSetting from '../adapters/configuration/yaml/database-setting.ts'
import { createYamlConfiguration } from '../adapters/configuration/yaml/yaml-configuration.ts'
import { createLocalDisk } from '../adapters/disk/local/local-disk.ts'
import { createHub } from '../adapters/git/hub/create-hub.ts'
import { createLocalHost, type LocalHost } from '../adapters/hosts/local/create-local-host.ts'
import { countRunning } from '../adapters/hosts/shared/count-running.ts'
import { createTerminalHost } from '../adapters/hosts/terminal/create-terminal-host.ts'
import { createFolderOutbox } from '../adapters/outbox/folder/folder-outbox.ts'
import { createFolderPlaybooks } from '../adapters/playbooks/folder/folder-playbooks.ts'
import { createPgBossQueue } from '../adapters/queue/pg-boss/pg-boss-queue.ts'
import { createSpawner } from '../adapters/shared/processes/spawner.ts'
import { createAuditChain } from '../adapters/store/postgres/audit-chain.ts'
import { createRecordCopies } from '../adapters/store/postgres/backup/record-copies.ts'
import { checkOf, type Fence, fencedOptions, isRefusal } from '../adapters/store/postgres/fence.ts'
import {
  type Installation,
  type Ownership,
  readInstallation,
  takeOwnership,
} from '../adapters/store/postgres/installation.ts'
import { type MigrationFailure, migrate } from '../adapters/store/postgres/migrate.ts'
import { openDatabase } from '../adapters/store/postgres/open-database.ts'
import { createPostgresFeed, type PostgresFeed } from '../adapters/store/postgres/postgres-feed.ts'
import { createPostgresStore } from '../adapters/store/postgres/postgres-store.ts'
import { createRedactingStore } from '../adapters/store/redacting/redacting-store.ts'
import { parseMessageRequest } from '../contract/message.ts'
import type { Result } from '../domain/result.ts'
import type { EngineNeeds } from '../engine/engine-needs.ts'
import { AgentProviderRegistry } from '../engine/providers/agent-provider-registry.ts'
import { createAssignments } from '../engine/roles/assignments.ts'
import type { AuditChain } from '../ports/audit-chain.ts'
import type { HubCopies } from '../ports/hub-copies.ts'
import type { HubUpkeep } from '../ports/hub-upkeep.ts'
import type { Log } from '../ports/log.ts'
import type { PlaybookSource } from '../ports/playbook-source.ts'
import type { RecordCopies } from '../ports/record-copies.ts'
import type { WorkQueue } from '../ports/work-queue.ts'
import { Alarms } from './alarms.ts'
import type { RestoreTarget } from './backup/restore-home.ts'
import { createCrashPoints } from './crash-on-purpose.ts'
import { engineSettings } from './engine-settings.ts'
import type { HomeClaim } from './home-claim.ts'
import type { Home } from './home-files.ts'
import { ownerOnly } from './owner-only.ts'
import { personPath } from './person-path.ts'
import type { PostgresServer } from './postgres/postgres-server.ts'
import type { KnownSecrets } from './secrets/known-secrets.ts'
import { learnOwnSecrets } from './secrets/which-are-secret.ts'
import { createSessionRuntime, type SessionRuntime } from './session-runtime.ts'
import { createIds } from './system-ids.ts'

export type { Fence, Installation, MigrationFailure, Ownership }
export { checkOf, isRefusal, readInstallation, takeOwnership }

export type Composition = SessionRuntime & {
  readonly feed: PostgresFeed
  readonly queue: WorkQueue
  readonly host: LocalHost
  readonly audit: AuditChain
  readonly records: RecordCopies
  readonly hubs: HubCopies
  readonly upkeep: HubUpkeep
  close(): Promise<void>
}

export type CompositionParts = {
  readonly home: Home
  readonly log: Log
  readonly claim: HomeClaim
  readonly postgres: PostgresServer
  readonly databaseUrl?: string
  readonly fence: Fence
  readonly token: string
  readonly secrets: KnownSecrets
  readonly daemonUrl: () => string
  readonly onDatabaseLost: (error: Error) => void
  readonly onDatabaseRestored: () => void
}

/** The only place that names adapters: it shows what a deployment consists of. */
export async function compose(parts: CompositionParts): Promise<Composition> {
  const { home, log } = parts
  const { database, queue, store, feed } = openStorage(parts)
  const guard = <Port extends object>(port: Port) => ownerOnly(port, () => parts.claim.require())
  const spawner = createSpawner()
  const host = guard(await createLocalHost({ hostsDirectory: home.hosts, startProcess: spawner.start }))
  const clock = { now: () => new Date() }
  const crash = createCrashPoints(process.env['MUSTER_CRASH_AT'])
  const providers = createProviders()
  learnOwnSecrets(parts.secrets, { ...parts, environment: process.env, providers })
  const settings = { ...engineSettings(parts), startedAt: new Date() }
  const ids = createIds()
  const alarms = new Alarms({ log, send: (work) => queue.send(work) })
  const wakeAt: EngineNeeds['wakeAt'] = (at, work) => alarms.set(at, work)
  const terminals = guard(
    await createTerminalHost(
      { processes: host.processes, contain: (request) => host.contain(request) },
      { directory: home.terminals },
    ),
  )
  const hub = createHub({
    hubsDirectory: home.hubs,
    gitConfigFile: home.gitConfig,
    warmDirectory: home.warm,
    startProcess: spawner.start,
  })
  const git = guardEach(hub, guard)
  const playbooks = composePlaybooks()
  const base = { store, ...git, host, providers, playbooks, clock, ids, crash, settings, wakeAt }
  const runtime = createSessionRuntime({
    ...base,
    terminals,
    disk: createLocalDisk(),
    assignments: createAssignments(base),
    configuration: createYamlConfiguration({ personFile: personFile(), environment: process.env }),
    outbox: createFolderOutbox(parseMessageRequest),
    log,
    sendWork: (work) => queue.send(work),
    feed,
  })
  return {
    ...runtime,
    feed,
    queue,
    host,
    ...wholeRecords(database, hub, guard),
    async close() {
      alarms[Symbol.dispose]()
      runtime.outboxes[Symbol.dispose]()
      runtime.watches[Symbol.dispose]()
      hub[Symbol.dispose]()
      spawner[Symbol.dispose]()
      await terminals[Symbol.asyncDispose]()
      await database.destroy()
    },
  }
}

/** What concerns all records at once. */
function wholeRecords(
  database: ReturnType<typeof openDatabase>,
  { copies: hubs, upkeep }: Pick<ReturnType<typeof createHub>, 'copies' | 'upkeep'>,
  guard: Guard,
): Pick<Composition, 'audit' | 'records' | 'hubs' | 'upkeep'> {
  const audit = createAuditChain(database)
  return { audit, records: createRecordCopies(database), hubs, upkeep: guard(upkeep) }
}

type Guard = <Port extends object>(port: Port) => Port
type Git = Pick<ReturnType<typeof createHub>, 'trees' | 'branches' | 'history' | 'commits' | 'pins'>

function guardEach({ trees, branches, history, commits, pins }: Git, guard: Guard): Git {
  return {
    trees: guard(trees),
    branches: guard(branches),
    history: guard(history),
    commits: guard(commits),
    pins: guard(pins),
  }
}

/** The store and the queue, which work only while this daemon owns the database, and the feed of events. */
function openStorage(parts: CompositionParts) {
  const { log, fence, onDatabaseLost } = parts
  const connection = { ...parts.postgres.connection }
  const database = openDatabase(connection, onDatabaseLost, fence)
  const queue = createPgBossQueue(
    { log, onUnreachable: onDatabaseLost },
    { ...connection, ...fencedOptions(fence) },
  )
  const sendWork: WorkQueue['sendWithin'] = (transaction, work) => queue.sendWithin(transaction, work)
  const onRestored = parts.onDatabaseRestored
  return {
    database,
    queue,
    store: createRedactingStore(createPostgresStore({ database, sendWork }), parts.secrets.redact),
    feed: createPostgresFeed({ database, connection, onLost: onDatabaseLost, onRestored }),
  }
}

/** Brings the tables up to date. The daemon has no number yet, so nothing is fenced. */
export async function migrateDatabase(connection: object): Promise<Result<void, MigrationFailure>> {
  const database = openDatabase({ ...connection }, () => undefined)
  try {
    return await migrate(database)
  } finally {
    await database.destroy()
  }
}

/** What a restore needs: the records and the hubs of a home, without anything that runs. */
export function composeRestore(
  home: Home,
  postgres: PostgresServer,
): RestoreTarget & { close(): Promise<void> } {
  const database = openDatabase({ ...postgres.connection }, () => undefined)
  const store = createPostgresStore({ database, sendWork: async () => () => undefined })
  const hub = createHub({ hubsDirectory: home.hubs, gitConfigFile: home.gitConfig })
  return {
    records: createRecordCopies(database),
    hubs: hub.copies,
    note: (change) => store.transact((records) => records.note(change)),
    async close() {
      hub[Symbol.dispose]()
      await database.destroy()
    },
  }
}

/** How many sessions of a home still have a process. */
export async function countRunningSessions({ hosts, terminals }: Home): Promise<number> {
  return (await countRunning(hosts)) + (await countRunning(terminals))
}

/** Another agent program is another folder, and a line here. */
function createProviders(): AgentProviderRegistry {
  const providers = [
    createClaudeCodeProvider(),
    createCodexProvider(),
    createOpencodeProvider(),
    createGeminiProvider(),
    createAcpProvider(),
    createCommandProvider(),
    createScriptedProvider(),
    createModelProvider(),
  ]
  return new AgentProviderRegistry(providers, 'claude-code')
}

/** The database that the person's own configuration names. */
export function readDatabaseSetting() {
  return databaseSetting.readDatabaseSetting(personFile())
}

/** The person's own playbooks, and those in the package, next to `src` and `dist`. A repository may add others. */
export function composePlaybooks(): PlaybookSource {
  const shipped = join(import.meta.dirname, '..', '..', 'playbooks')
  return createFolderPlaybooks({ shipped, person: personPath('playbooks') })
}

const personFile = () => personPath('config.yaml')
