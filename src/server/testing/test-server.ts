import { failure, success } from '../../domain/result.ts'
import { USUAL_SANDBOX } from '../../domain/session/sandbox-policy.ts'
import { illegalTransition } from '../../domain/transition.ts'
import type { JobCommands, StartJobRequest } from '../../engine/jobs/job-commands.ts'
import { AgentProviderRegistry } from '../../engine/providers/agent-provider-registry.ts'
import { createQueries, type QueryNeeds } from '../../engine/queries/queries.ts'
import type { AgentProvider } from '../../ports/agent-provider.ts'
import type { ConfigurationSource } from '../../ports/configuration-source.ts'
import { createServer, type MusterServer } from '../create-server.ts'
import type { ServerNeeds, ServerTimes } from '../server-needs.ts'
import { createMemoryFeed, type MemoryFeed } from './memory-feed.ts'
import { createMemoryStore, type MemoryStore } from './memory-store.ts'
import { NO_TERMINALS } from './no-terminals.ts'
import { NOW, sampleAgent, sampleJob } from './sample-records.ts'
import { createStandInEvidence } from './stand-in-evidence.ts'
import { createStandInMessages } from './stand-in-messages.ts'
import { createStandInSessions } from './stand-in-sessions.ts'

export const TOKEN = 'the-token-of-the-tests'

export type TestServer = AsyncDisposable & {
  readonly server: MusterServer
  readonly feed: MemoryFeed
  readonly store: MemoryStore
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
    const lists = { checks: ['true'], setup: [], copy: [], agents: [sampleAgent] }
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

/** A real server on a free port over stand-ins for everything behind it. */
export async function startTestServer(
  options: { readonly times?: Partial<ServerTimes>; readonly port?: number; readonly feed?: MemoryFeed } = {},
): Promise<TestServer> {
  const acts: string[] = []
  const started: StartJobRequest[] = []
  const logged: string[] = []
  const feed = options.feed ?? createMemoryFeed()
  const store = createMemoryStore()
  const note = (_: unknown, message: string) => void logged.push(message)
  const needs: ServerNeeds = {
    queries: {
      ...createQueries({
        store,
        feed,
        clock: { now: () => NOW },
        configuration: CONFIGURATION,
        providers: new AgentProviderRegistry([PROVIDER], 'command'),
        ...({} as Pick<QueryNeeds, 'branches' | 'history' | 'commits' | 'settings'>),
      }),
      ...createStandInEvidence(acts),
    },
    feed,
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
  }
  const server = createServer(needs, options.times)
  const listening = await server.listen({ host: '127.0.0.1', port: options.port ?? 0 })
  if (!listening.ok) throw new Error(listening.failure.problem)
  const dispose = () => server.close()
  return { server, feed, store, acts, started, logged, ...listening.value, [Symbol.asyncDispose]: dispose }
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
