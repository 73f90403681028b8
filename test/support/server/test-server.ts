import { createLocalDisk } from '../../../src/adapters/disk/local/local-disk.ts'
import { createFolderPlaybooks } from '../../../src/adapters/playbooks/folder/folder-playbooks.ts'
import { failure, success } from '../../../src/domain/result.ts'
import { USUAL_SANDBOX } from '../../../src/domain/session/sandbox-policy.ts'
import { illegalTransition } from '../../../src/domain/transition.ts'
import type { JobCommands, StartJobRequest } from '../../../src/engine/jobs/job-commands.ts'
import { AgentProviderRegistry } from '../../../src/engine/providers/agent-provider-registry.ts'
import { createPlaybookQueries } from '../../../src/engine/queries/playbooks.ts'
import { createQueries } from '../../../src/engine/queries/queries.ts'
import type { AgentProvider } from '../../../src/ports/agent-provider.ts'
import type { ConfigurationSource } from '../../../src/ports/configuration-source.ts'
import type { SessionHost } from '../../../src/ports/session-host.ts'
import type { TerminalHost } from '../../../src/ports/terminal-host.ts'
import type { WorkingTrees } from '../../../src/ports/working-trees.ts'
import { createServer, type MusterServer } from '../../../src/server/create-server.ts'
import type { ServerNeeds, ServerTimes } from '../../../src/server/server-needs.ts'
import { NOW, sampleAgent, sampleJob } from './sample-records.ts'
import { createStandInCleanup } from './stand-in-cleanup.ts'
import { createStandInMessages } from './stand-in-messages.ts'
import { createStandInSessions } from './stand-in-sessions.ts'
import { createStandInTrust } from './stand-in-trust.ts'
import { openTestWorld, type TestWorld } from './test-world.ts'

export const TOKEN = 'the-token-of-the-tests'

export type TestServer = AsyncDisposable & {
  readonly server: MusterServer
  readonly world: TestWorld
  /** The calls to the engine and the daemon, in order. */
  readonly acts: readonly string[]
  readonly started: readonly StartJobRequest[]
  /** The lines that the server logged. */
  readonly logged: readonly string[]
  readonly url: string
  readonly port: number
}

const CONFIGURATION: ConfigurationSource = {
  async read(repositoryPath) {
    if (repositoryPath.startsWith('/broken')) {
      const where = { file: 'muster.yaml', line: 3, field: 'checks' }
      return failure({ type: 'configuration-invalid', ...where, problem: 'is no list' })
    }
    const lists = {
      checks: ['true'],
      setup: [],
      copy: [],
      agents: [sampleAgent],
      environments: { [sampleAgent.name]: { API_KEY: 'a secret value' } },
      roles: { planner: { agents: ['mine'] } },
    }
    return success({
      ...lists,
      taskList: 'branch' as const,
      learnings: false,
      secrets: [],
      guarded: [],
      sandbox: USUAL_SANDBOX,
      limits: {},
    })
  },
}

/** A machine on which no terminal is open. */
const NO_TERMINALS: TerminalHost = {
  kind: 'pty',
  open: async () => failure({ type: 'host-unstartable', problem: 'there are no terminals here' }),
  inspect: async () => ({ type: 'absent' }),
  write: async () => {},
  submit: async () => {},
  resize: async () => {},
  screen: async (hostId) => failure({ type: 'terminal-closed', hostId }),
  connect: async (hostId) => failure({ type: 'terminal-closed', hostId }),
  watch: () => ({ [Symbol.dispose]: () => {} }),
  close: async () => {},
  remove: async () => {},
  list: async () => [],
  [Symbol.asyncDispose]: async () => {},
}

const NO_SANDBOX: Pick<SessionHost, 'trySandbox'> = {
  trySandbox: async () =>
    failure({ type: 'sandbox-unavailable', level: 'bubblewrap', problem: 'too many keys' }),
}

const NO_TREES: Pick<WorkingTrees, 'snapshot'> = {
  snapshot: async () => failure({ type: 'git-missing' }),
}

const PROVIDER: AgentProvider = {
  providerId: 'command',
  credentials: [],
  homePaths: [],
  models: async () => [{ id: 'one', name: 'One' }],
  availability: async () => ({ type: 'available', version: '1.0.0' }),
  plan: async () => failure({ type: 'program-missing', program: 'mine', install: 'grow it' }),
  readLine: () => [],
  findAnswer: () => undefined,
}

export type TestServerOptions = {
  readonly times?: Partial<ServerTimes>
  readonly port?: number
  /** The store and feed to use, which stay open when the server closes. By default, the server has its own. */
  readonly world?: TestWorld
  /** Replaces some of the commands below. */
  readonly needs?: Partial<ServerNeeds>
}

const PLAYBOOKS = createFolderPlaybooks({ shipped: 'playbooks' })

/** A real server on a free port with the real store. Its commands only record that they were called. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const acts: string[] = []
  const started: StartJobRequest[] = []
  const logged: string[] = []
  const world = options.world ?? (await openTestWorld())
  const note = (_: unknown, message: string) => void logged.push(message)
  const needs: ServerNeeds = {
    queries: createQueries({
      ...world,
      clock: { now: () => NOW },
      configuration: CONFIGURATION,
      disk: createLocalDisk(),
      host: NO_SANDBOX,
      trees: NO_TREES,
      providers: new AgentProviderRegistry([PROVIDER], 'command'),
      playbooks: PLAYBOOKS,
    }),
    feed: world.feed,
    jobs: createCommands(acts, started),
    sessions: createStandInSessions(acts),
    messages: createStandInMessages(acts),
    audit: createAuditCommands(acts),
    backup: {
      state: { type: 'none' },
      start({ file }) {
        acts.push(`backup ${file}`)
        return success({ type: 'running', file, step: 'records', done: 0, total: 1 })
      },
    },
    trust: createStandInTrust(acts),
    playbooks: createPlaybookQueries({ playbooks: PLAYBOOKS }),
    cleanup: createStandInCleanup(acts),
    terminals: NO_TERMINALS,
    onAttended: () => {},
    sessionOfToken: () => undefined,
    redact: (text) => text,
    token: TOKEN,
    version: '1.2.3',
    log: { info: note, warn: note, error: note },
    status: async () => ({
      pid: 1,
      version: '1.2.3',
      startedAt: NOW.toISOString(),
      uptimeMs: 5,
      home: '/home/someone/.muster',
      containment: 'pid-namespace',
    }),
    storage: async () => ({ freeBytes: 5, usedBytes: 7, folders: [], repositories: [] }),
    environment: async () => ({ searchPath: ['/usr/bin'], variables: [] }),
    ready: async () => success(undefined),
    shutdown: () => void acts.push('shutdown'),
    ...options.needs,
  }
  const server = createServer(needs, options.times)
  const listening = await server.listen({ host: '127.0.0.1', port: options.port ?? 0 })
  const close = async () => {
    await server.close()
    if (options.world === undefined) await world[Symbol.asyncDispose]()
  }
  if (!listening.ok) {
    await close()
    throw new Error(listening.failure.problem)
  }
  return {
    server,
    world,
    acts,
    started,
    logged,
    ...listening.value,
    [Symbol.asyncDispose]: close,
  }
}

function createAuditCommands(acts: string[]): ServerNeeds['audit'] {
  return {
    async list({ after, limit }) {
      acts.push(`audit after ${after}, at most ${limit}`)
      return [
        {
          seq: 7,
          at: NOW,
          actor: 'person',
          action: 'job-pause',
          subject: 'job_1',
          detail: { from: 'running' },
        },
      ]
    },
    async verify() {
      acts.push('audit verify')
      return { type: 'broken', rows: 7, checkedAt: NOW, breaks: [{ type: 'row-changed', seq: 3 }] }
    },
    async accept() {
      acts.push('audit accept')
      return failure({ type: 'audit-intact' })
    },
  }
}

function createCommands(acts: string[], started: StartJobRequest[]): JobCommands {
  const act = (name: string) => async () => {
    acts.push(name)
    return success(sampleJob())
  }
  return {
    async start(request, key) {
      acts.push(key === undefined ? 'start' : `start ${key}`)
      started.push(request)
      if (request.requestDocument.trim() === '') return failure({ type: 'goal-empty' })
      return success(sampleJob({ requestDocument: request.requestDocument }))
    },
    startPending: act('begin'),
    pause: act('pause'),
    forkRun: act('fork'),
    resumeRun: act('resume run'),
    async stopRun(id, { reason, isForced }) {
      acts.push(`${isForced ? 'kill' : 'stop'} run ${reason}`)
      return failure({ type: 'not-found', what: 'run', id })
    },
    async resume() {
      acts.push('resume')
      return failure(illegalTransition('job', 'running', 'job-resume'))
    },
    async decideBase(jobId, decision) {
      acts.push(`base ${decision}`)
      if (decision === 'continue') return success(sampleJob())
      return failure({ type: 'base-not-asked', jobId, base: 'passed' })
    },
    async cancel(_, reason) {
      acts.push(`cancel ${reason}`)
      return success(sampleJob({ state: { type: 'cancelled', ...(reason === undefined ? {} : { reason }) } }))
    },
    async edit(_, kind, text) {
      acts.push(`edit ${kind}`)
      if (kind === 'goal' && text.trim() === '') return failure({ type: 'goal-empty' })
      if (text === 'too late') return failure(illegalTransition('job', 'completed', 'document-edit'))
      return success(sampleJob())
    },
    async merge(jobId) {
      acts.push(`merge ${jobId}`)
      return failure({ type: 'nothing-landed', jobId, hasEnded: false })
    },
    async propose(jobId) {
      acts.push(`propose ${jobId}`)
      return failure({ type: 'nothing-landed', jobId, hasEnded: false })
    },
  }
}
