import { failure, success } from '../../../src/domain/result.ts'
import { USUAL_SANDBOX } from '../../../src/domain/session/sandbox-policy.ts'
import { illegalTransition } from '../../../src/domain/transition.ts'
import type { JobCommands, StartJobRequest } from '../../../src/engine/jobs/job-commands.ts'
import { AgentProviderRegistry } from '../../../src/engine/providers/agent-provider-registry.ts'
import { createQueries } from '../../../src/engine/queries/queries.ts'
import type { AgentProvider } from '../../../src/ports/agent-provider.ts'
import type { ConfigurationSource } from '../../../src/ports/configuration-source.ts'
import { createServer, type MusterServer } from '../../../src/server/create-server.ts'
import type { ServerNeeds, ServerTimes } from '../../../src/server/server-needs.ts'
import { NO_TERMINALS } from './no-terminals.ts'
import { NOW, sampleAgent, sampleJob } from './sample-records.ts'
import { createStandInMessages } from './stand-in-messages.ts'
import { createStandInSessions } from './stand-in-sessions.ts'
import { openTestWorld, type TestWorld } from './test-world.ts'

export const TOKEN = 'the-token-of-the-tests'

export type TestServer = AsyncDisposable & {
  readonly server: MusterServer
  readonly world: TestWorld
  /** What was asked of the engine or the daemon, in order. */
  readonly acts: readonly string[]
  readonly started: readonly StartJobRequest[]
  /** Lines the server logged. */
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
    const lists = { checks: ['true'], setup: [], copy: [], agents: [sampleAgent], roles: {} }
    return success({ ...lists, learnings: false, secrets: [], sandbox: USUAL_SANDBOX, limits: {} })
  },
}

const PROVIDER: AgentProvider = {
  providerId: 'command',
  credentials: [],
  homePaths: [],
  models: async () => [{ id: 'one', name: 'One' }],
  availability: async () => ({ type: 'available', version: '1.0.0' }),
  plan: () => Promise.reject(new Error('the server plans nothing')),
  readLine: () => [],
  findAnswer: () => undefined,
}

export type TestServerOptions = {
  readonly times?: Partial<ServerTimes>
  readonly port?: number
  /** Stays open when the server closes; without it the server has one of its own. */
  readonly world?: TestWorld
  /** What takes the place of the commands below. */
  readonly needs?: Partial<ServerNeeds>
}

/** A real server on a free port, over the real store; its commands only note that they were called. */
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
      providers: new AgentProviderRegistry([PROVIDER], 'command'),
    }),
    feed: world.feed,
    jobs: createCommands(acts, started),
    sessions: createStandInSessions(acts),
    messages: createStandInMessages(acts),
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
    ready: async () => success(undefined),
    shutdown: () => void acts.push('shutdown'),
    ...options.needs,
  }
  const server = createServer(needs, options.times)
  const listening = await server.listen({ host: '127.0.0.1', port: options.port ?? 0 })
  if (!listening.ok) throw new Error(listening.failure.problem)
  return {
    server,
    world,
    acts,
    started,
    logged,
    ...listening.value,
    async [Symbol.asyncDispose]() {
      await server.close()
      if (options.world === undefined) await world[Symbol.asyncDispose]()
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
    begin: act('begin'),
    pause: act('pause'),
    async resume() {
      acts.push('resume')
      return failure(illegalTransition('job', 'running', 'job-resume'))
    },
    async cancel(_, reason) {
      acts.push(`cancel ${reason}`)
      return success(sampleJob({ state: { type: 'cancelled', reason } }))
    },
    async edit(_, kind, text) {
      acts.push(`edit ${kind}`)
      if (kind === 'goal' && text.trim() === '') return failure({ type: 'goal-empty' })
      if (text === 'too late') return failure(illegalTransition('job', 'completed', 'document-edit'))
      return success(sampleJob())
    },
    async merge(jobId) {
      acts.push(`merge ${jobId}`)
      return failure({ type: 'nothing-landed', jobId })
    },
  }
}
