import { type Kysely, sql } from 'kysely'
import { createCommandProvider } from '../../src/adapters/agents/command/command-provider.ts'
import { createModelProvider } from '../../src/adapters/agents/model/model-provider.ts'
import { createLocalDisk } from '../../src/adapters/disk/local/local-disk.ts'
import { createFolderPlaybooks } from '../../src/adapters/playbooks/folder/folder-playbooks.ts'
import { SHIPPED } from '../../src/adapters/playbooks/folder/testing/broken-playbook.ts'
import type { Database } from '../../src/adapters/store/postgres/database.ts'
import { createPostgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import type { AgentSpec } from '../../src/domain/agent/agent-spec.ts'
import type { Attempt } from '../../src/domain/attempt/attempt.ts'
import type { Cycle } from '../../src/domain/cycle/cycle.ts'
import type { JobId } from '../../src/domain/id.ts'
import type { Job } from '../../src/domain/job/job.ts'
import { success } from '../../src/domain/result.ts'
import { USUAL_SANDBOX } from '../../src/domain/session/sandbox-policy.ts'
import type { Session } from '../../src/domain/session/session.ts'
import type { Task } from '../../src/domain/task/task.ts'
import type { EngineNeeds } from '../../src/engine/engine-needs.ts'
import type { StartJobRequest } from '../../src/engine/jobs/job-commands.ts'
import { startJob } from '../../src/engine/jobs/start-job.ts'
import { AgentProviderRegistry } from '../../src/engine/providers/agent-provider-registry.ts'
import type { Configuration } from '../../src/ports/configuration-source.ts'
import type { Store } from '../../src/ports/store/store.ts'
import type { Work } from '../../src/ports/work-queue.ts'
import { openEngineWorld } from './engine-world.ts'
import { exampleChange, exampleTask, ids } from './example-records.ts'
import { silentLog } from './silent-log.ts'

type Needs = Pick<
  EngineNeeds,
  | 'store'
  | 'branches'
  | 'history'
  | 'commits'
  | 'disk'
  | 'configuration'
  | 'playbooks'
  | 'providers'
  | 'clock'
  | 'ids'
  | 'log'
  | 'crash'
  | 'settings'
  | 'wakeAt'
  | 'sendWork'
>

export type JobTrial = AsyncDisposable & {
  readonly needs: Needs
  readonly database: Kysely<Database>
  readonly repositoryPath: string
  /** Tests change it before they start a job. */
  configuration: Configuration
  /** The free memory that the engine sees. */
  freeMemoryMb: number
  /** The time that the engine sees. */
  now: Date
  /** The work that the engine wants at a later time. */
  readonly alarms: { readonly at: Date; readonly work: Work }[]
  /** The work that was stored with changes or sent directly. It is never done. */
  readonly sent: Work[]
  start(request?: Partial<StartJobRequest>): Promise<Job>
  job(id: JobId): Promise<Job>
  eventsOf(id: JobId): Promise<readonly { readonly type: string; readonly data: Record<string, unknown> }[]>
}

const agent = (name: string, roles: readonly string[]): AgentSpec => ({
  name,
  provider: 'command',
  roles,
  env: [],
})

const CONFIGURATION: Configuration = {
  checks: [],
  setup: [],
  copy: [],
  taskList: 'branch',
  learnings: false,
  secrets: [],
  guarded: [],
  agents: [agent('pia', ['planner']), agent('will', ['worker'])],
  environments: {},
  roles: {},
  sandbox: USUAL_SANDBOX,
  limits: {},
}

/** The engine's job commands on a real store and a real repository. No program is ever started. */
export async function openJobTrial(): Promise<JobTrial> {
  const world = await openEngineWorld()
  const { database, hub, repository, settings } = world
  const sent: Work[] = []
  const store = createPostgresStore({
    database,
    sendWork: async (_, work) => {
      sent.push(...work)
      return () => undefined
    },
  })
  const alarms: { at: Date; work: Work }[] = []
  const needs: Needs = {
    store,
    ...hub,
    disk: createLocalDisk(),
    configuration: { read: async () => success(trial.configuration) },
    playbooks: createFolderPlaybooks({ shipped: SHIPPED }),
    providers: new AgentProviderRegistry([createCommandProvider(), createModelProvider()], 'command'),
    clock: { now: () => trial.now },
    ids,
    log: silentLog,
    crash: { reach: () => undefined },
    settings: { ...settings, userName: 'grace', freeMemoryMb: () => trial.freeMemoryMb },
    wakeAt: (at, work) => void alarms.push({ at, work }),
    sendWork: async (work) => void sent.push(work),
  }
  const trial: JobTrial = {
    needs,
    database,
    repositoryPath: repository.path,
    configuration: CONFIGURATION,
    freeMemoryMb: 1_000_000,
    now: new Date(),
    alarms,
    sent,
    async start(request = {}) {
      const goal = { repositoryPath: repository.path, requestDocument: 'Grow a tree', autoStart: true }
      const started = await startJob(needs, { ...goal, ...request })
      if (!started.ok) throw new Error(JSON.stringify(started.failure))
      return started.value
    },
    async job(id) {
      const job = await store.read.jobs.find(id)
      if (job === undefined) throw new Error(`no job ${id}`)
      return job
    },
    async eventsOf(id) {
      const events = await sql<{ type: string; data: Record<string, unknown> }>`
        select type, data from events where stream_id = ${id} order by seq`.execute(database)
      return events.rows
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
  return trial
}

/** Moves the newest cycle of a job to execution with these tasks, as a discovery would. */
export async function planTasks(store: Store, job: Job, tasks: readonly Partial<Task>[]): Promise<Cycle> {
  const found = (await store.read.cycles.listOf(job.id)).at(-1)
  if (found === undefined) throw new Error('there is no cycle')
  const rows = tasks.map((task, index) => exampleTask(found, { number: index + 1, ...task }))
  return await store.transact(async (records) => {
    await records.tasks.insertAll(rows, exampleChange())
    return records.cycles.save({ ...found, phase: 'execution' }, exampleChange())
  })
}

/** Ends every live session of a job with this cost, and settles its attempt. */
export async function settleAll(store: Store, jobId: JobId, costUsd = 0): Promise<void> {
  for (const session of await store.read.sessions.listLive(jobId)) {
    await spend(store, session, costUsd)
    const current = (await store.read.sessions.find(session.id)) ?? session
    await store.transact(async (records) => {
      const state = { type: 'terminated', end: { type: 'exited', code: 0 } } as const
      await records.sessions.save({ ...current, state }, exampleChange())
      for (const attempt of await records.attempts.listUnsettled(jobId)) {
        if (attempt.sessionId === session.id) await records.attempts.save(settled(attempt), exampleChange())
      }
    })
  }
}

function settled(attempt: Attempt): Attempt {
  return { ...attempt, state: { type: 'settled', outcome: { type: 'accepted' } } }
}

/** Adds to the cost that the program of a session has reported. */
export async function spend(store: Store, session: Session, costUsd: number): Promise<void> {
  const { conversation, outOffset, errOffset } = (await store.read.sessions.find(session.id)) ?? session
  const usage = { ...conversation.usage, costUsd: conversation.usage.costUsd + costUsd }
  await store.transact((records) =>
    records.sessions.advance([
      {
        sessionId: session.id,
        fromOut: outOffset,
        toOut: outOffset + 1,
        fromErr: errOffset,
        toErr: errOffset,
        events: [],
        conversation: { ...conversation, usage },
      },
    ]),
  )
}
