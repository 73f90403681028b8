import { homedir } from 'node:os'
import { join } from 'node:path'
import { createAcpProvider } from '../adapters/agents/acp/acp-provider.ts'
import { createClaudeCodeProvider } from '../adapters/agents/claude-code/claude-code-provider.ts'
import { createCodexProvider } from '../adapters/agents/codex/codex-provider.ts'
import { createCommandProvider } from '../adapters/agents/command/command-provider.ts'
import { createGeminiProvider } from '../adapters/agents/gemini/gemini-provider.ts'
import { createModelProvider } from '../adapters/agents/model/model-provider.ts'
import { createOpencodeProvider } from '../adapters/agents/opencode/opencode-provider.ts'
import { createScriptedProvider } from '../adapters/agents/scripted/scripted-provider.ts'
import { createYamlConfiguration } from '../adapters/configuration/yaml/yaml-configuration.ts'
import { createLocalDisk } from '../adapters/disk/local/local-disk.ts'
import { createHub } from '../adapters/git/hub/create-hub.ts'
import { createLocalHost, type LocalHost } from '../adapters/hosts/local/create-local-host.ts'
import { createTerminalHost } from '../adapters/hosts/terminal/create-terminal-host.ts'
import { createFolderOutbox } from '../adapters/outbox/folder/folder-outbox.ts'
import { createPgBossQueue } from '../adapters/queue/pg-boss/pg-boss-queue.ts'
import { findProgram } from '../adapters/shared/find-program.ts'
import { type AuditHead, readAuditHead } from '../adapters/store/postgres/audit-chain.ts'
import { openDatabase } from '../adapters/store/postgres/database.ts'
import { type MigrationFailure, migrate } from '../adapters/store/postgres/migrate.ts'
import { createPostgresFeed, type PostgresFeed } from '../adapters/store/postgres/postgres-feed.ts'
import { createPostgresStore } from '../adapters/store/postgres/postgres-store.ts'
import { createRedactingStore } from '../adapters/store/redacting/redacting-store.ts'
import { parseMessageRequest } from '../contract/message.ts'
import type { Result } from '../domain/result.ts'
import type { Session } from '../domain/session/session.ts'
import type { EngineNeeds } from '../engine/engine-needs.ts'
import { answerQuestion } from '../engine/messages/answer-question.ts'
import { collectOutbox } from '../engine/messages/collect-outbox.ts'
import { createMessageCommands, type MessageCommands } from '../engine/messages/message-commands.ts'
import type { MessageNeeds } from '../engine/messages/message-needs.ts'
import { OutboxWatches } from '../engine/messages/outbox-watches.ts'
import { createRuntimeCallbacks } from '../engine/messages/runtime-callbacks.ts'
import { AgentProviderRegistry } from '../engine/providers/agent-provider-registry.ts'
import { createRoles } from '../engine/roles/roles.ts'
import { hostOf } from '../engine/sessions/host-of.ts'
import { SessionTails } from '../engine/sessions/listen/session-tails.ts'
import { TerminalWatches } from '../engine/sessions/listen/terminal-watches.ts'
import { outboxIn } from '../engine/sessions/start/session-environment.ts'
import type { Log } from '../ports/log.ts'
import type { WorkQueue } from '../ports/work-queue.ts'
import { Alarms } from './alarms.ts'
import { createCrashPoints } from './crash-on-purpose.ts'
import { engineSettings } from './engine-settings.ts'
import type { Home } from './home.ts'
import type { PostgresServer } from './postgres/postgres-server.ts'
import type { KnownSecrets } from './secrets/known-secrets.ts'
import { learnFromConfiguration, learnOwnSecrets } from './secrets/which-are-secret.ts'
import { createIds } from './system-ids.ts'

export type { MigrationFailure }

export type Composition = {
  readonly engine: EngineNeeds
  readonly feed: PostgresFeed
  readonly queue: WorkQueue
  readonly tails: SessionTails
  readonly host: LocalHost
  readonly watches: TerminalWatches
  readonly messages: MessageCommands
  readonly mail: OutboxWatches
  migrate(): Promise<Result<void, MigrationFailure>>
  auditHead(): Promise<AuditHead>
  close(): Promise<void>
}

export type CompositionParts = {
  readonly home: Home
  readonly log: Log
  readonly postgres: PostgresServer
  readonly token: string
  readonly secrets: KnownSecrets
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
  const sendWork: WorkQueue['sendWithin'] = (transaction, work) => queue.sendWithin(transaction, work)
  const store = createRedactingStore(createPostgresStore({ database, sendWork }), parts.secrets.redact)
  const feed = createPostgresFeed({
    database,
    connection,
    onLost: parts.onDatabaseLost,
    onRestored: parts.onDatabaseRestored,
  })
  const host = await createLocalHost({ hostsDirectory: home.hosts })
  const clock = { now: () => new Date() }
  const crash = createCrashPoints(process.env['MUSTER_CRASH_AT'])
  const providers = createProviders()
  learnOwnSecrets(parts.secrets, { token: parts.token, environment: process.env, providers })
  const settings = engineSettings(parts)
  const ids = createIds()
  const alarms = new Alarms({ log, send: (work) => queue.send(work) })
  const wakeAt: EngineNeeds['wakeAt'] = (at, work) => alarms.set(at, work)
  const terminals = await createTerminalHost(
    { processes: host.processes, hold: (request) => host.hold(request), findProgram },
    { directory: home.terminals },
  )
  const hub = createHub({
    hubsDirectory: home.hubs,
    gitConfigFile: home.gitConfig,
    warmDirectory: home.warm,
  })
  const { trees, branches, history, commits } = hub
  const git = { trees, branches, history, commits }
  const roles = createRoles({ store, ...git, host, providers, clock, ids, crash, settings })
  const base = {
    store,
    ...git,
    host,
    terminals,
    providers,
    roles,
    clock,
    ids,
    log,
    crash,
    settings,
    wakeAt,
  }
  const runtime = composeRuntime(base, { feed, queue, secrets: parts.secrets })
  return {
    ...runtime,
    feed,
    queue,
    host,
    migrate: () => migrate(database),
    auditHead: () => readAuditHead(database),
    async close() {
      alarms[Symbol.dispose]()
      runtime.mail[Symbol.dispose]()
      runtime.watches[Symbol.dispose]()
      hub[Symbol.dispose]()
      await terminals[Symbol.asyncDispose]()
      await database.destroy()
    },
  }
}

type Base = Omit<
  EngineNeeds,
  'disk' | 'configuration' | 'mail' | 'adoptSession' | 'sendWork' | 'answerLetter'
>

/** What keeps sessions going: their spools, terminals and messages, each of which calls on the others. */
function composeRuntime(
  base: Base,
  {
    feed,
    queue,
    secrets,
  }: { readonly feed: PostgresFeed; readonly queue: WorkQueue } & Pick<CompositionParts, 'secrets'>,
): Pick<Composition, 'engine' | 'tails' | 'watches' | 'messages' | 'mail'> {
  const { store, host, clock, ids, log } = base
  const outbox = createFolderOutbox(parseMessageRequest)
  const outboxOf = (session: Session) => outboxIn(host.directoryOf(hostOf(session)))
  const mail = new OutboxWatches({
    outbox,
    log,
    outboxOf,
    collect: (session) =>
      collectOutbox({ ...messageNeeds, outbox, outboxOf: () => outboxOf(session) }, session.id),
  })
  const watches = new TerminalWatches({ ...base, mail })
  const tails = new SessionTails({ ...base, mail, adoptTerminal: (session) => watches.adopt(session) })
  const engine: EngineNeeds = {
    ...base,
    disk: createLocalDisk(),
    configuration: learnFromConfiguration(
      secrets,
      process.env,
      createYamlConfiguration({ personFile: personFile(), environment: process.env }),
    ),
    mail,
    adoptSession(sessionId) {
      // Its program may have been started by an earlier daemon: this one learns its token by deriving it.
      base.settings.tokenOf(sessionId)
      tails.adopt(sessionId)
    },
    sendWork: (work) => queue.send(work),
    async answerLetter(inReplyTo, body) {
      await answerQuestion(messageNeeds, 'engine', { inReplyTo, body, key: inReplyTo })
    },
  }
  const messageNeeds: MessageNeeds = { store, clock, ids, log, feed, ...createRuntimeCallbacks(engine) }
  const messages = createMessageCommands({ ...messageNeeds, history: engine.history })
  return { engine, tails, watches, messages, mail }
}

/** An agent program more is a folder more, and a line here. */
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

function personFile(): string {
  const base = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
  return join(base, 'muster', 'config.yaml')
}
