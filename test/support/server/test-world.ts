import { join } from 'node:path'
import { createHub } from '../../../src/adapters/git/hub/create-hub.ts'
import { openDatabase } from '../../../src/adapters/store/postgres/open-database.ts'
import { createPostgresFeed } from '../../../src/adapters/store/postgres/postgres-feed.ts'
import { createPostgresStore } from '../../../src/adapters/store/postgres/postgres-store.ts'
import type { Approval } from '../../../src/domain/approval/approval.ts'
import type { NewEvent } from '../../../src/domain/event/event.ts'
import type { Job } from '../../../src/domain/job/job.ts'
import type { Session } from '../../../src/domain/session/session.ts'
import type { QueryNeeds } from '../../../src/engine/queries/queries.ts'
import type { EventFeed } from '../../../src/ports/event-feed.ts'
import type { Store } from '../../../src/ports/store/store.ts'
import { exampleChange, ids } from '../example-records.ts'
import { temporaryDirectory } from '../temporary-directory.ts'
import { createTestDatabase } from '../test-database.ts'
import {
  sampleAttempt,
  sampleCycle,
  sampleDocument,
  sampleJob,
  sampleLanding,
  sampleProject,
  sampleSession,
  sampleTask,
} from './sample-records.ts'

/** What test servers need: the real store with one job and one record of each kind, its feed, and a hub. */
export type TestWorld = AsyncDisposable &
  Pick<QueryNeeds, 'branches' | 'history' | 'commits' | 'settings'> & {
    readonly store: Store
    readonly feed: EventFeed
    /** How many streams the feed is waking. */
    subscriberCount(): number
    append(...events: readonly NewEvent[]): Promise<void>
    /** Another running job, with its own stream. */
    addJob(fields?: Partial<Job>): Promise<Job>
    putJob(job: Job): Promise<void>
    /** With events, in one transaction, as the engine stores them. */
    putSession(session: Session, ...events: readonly NewEvent[]): Promise<void>
    putApproval(approval: Approval): Promise<void>
    /** Closes the database, so that every read fails. */
    closeDatabase(): Promise<void>
  }

export async function openTestWorld(): Promise<TestWorld> {
  const directory = await temporaryDirectory('muster-server')
  const connection = { ...(await createTestDatabase()) }
  const database = openDatabase(connection, () => undefined)
  const store = createPostgresStore({ database, sendWork: async () => () => undefined })
  const feed = createPostgresFeed({ database, connection, onLost: () => undefined })
  await feed.start()
  await storeSamples(store)
  const hubsDirectory = join(directory.path, 'hubs')
  const hub = createHub({ hubsDirectory, gitConfigFile: join(directory.path, 'gitconfig') })
  let subscribers = 0
  return {
    ...hub,
    settings: {
      hubsDirectory,
      musterHome: '/muster',
      personHome: '/home/ada',
      ownTools: [] as readonly string[],
      passedEnvironment: {},
      learnSecretsIn: () => undefined,
      credentialsOf: () => ({}),
    } as Partial<QueryNeeds['settings']> as QueryNeeds['settings'],
    ...putting(store),
    store,
    feed: {
      ...feed,
      subscribe(topic, onWake) {
        const subscription = feed.subscribe(topic, onWake)
        subscribers += 1
        return {
          [Symbol.dispose]() {
            subscribers -= 1
            subscription[Symbol.dispose]()
          },
        }
      },
    },
    subscriberCount: () => subscribers,
    closeDatabase: () => database.destroy(),
    async [Symbol.asyncDispose]() {
      hub[Symbol.dispose]()
      await feed.close()
      await database.destroy()
      await directory[Symbol.asyncDispose]()
    },
  }
}

type Putting = Pick<TestWorld, 'append' | 'addJob' | 'putJob' | 'putSession' | 'putApproval'>

/** Stores records unchanged, and replaces those with the same id. */
function putting(store: Store): Putting {
  return {
    append: (...events) =>
      store.transact(async (records) => {
        const job = (await records.jobs.find(sampleJob().id)) ?? sampleJob()
        await records.jobs.save(job, { ...exampleChange(), events })
      }),
    addJob(fields) {
      const id = ids.next('job')
      const job = sampleJob({ id, workingBranch: `muster/${id}`, ...fields })
      return store.transact((records) => records.jobs.insert(job, exampleChange()))
    },
    putJob: (job) =>
      store.transact(async ({ jobs }) => {
        const stored = await jobs.find(job.id)
        if (stored === undefined) await jobs.insert(job, exampleChange())
        else await jobs.save({ ...job, version: stored.version }, exampleChange())
      }),
    putSession: (session, ...events) =>
      store.transact(async ({ sessions }) => {
        const change = { ...exampleChange(), events }
        const stored = await sessions.find(session.id)
        if (stored === undefined) await sessions.insert(session, change)
        else await sessions.saveProcess({ ...session, version: stored.version }, change)
      }),
    putApproval: (approval) =>
      store.transact(async (records) => void (await records.approvals.insert(approval, exampleChange()))),
  }
}

async function storeSamples(store: Store): Promise<void> {
  const change = exampleChange()
  await store.transact(async (records) => {
    await records.projects.ensure(sampleProject)
    await records.jobs.insert(sampleJob(), change)
    await records.documents.insert(sampleDocument(), change)
    await records.cycles.insert(sampleCycle, change)
    await records.tasks.insertAll([sampleTask(1), sampleTask(2), sampleTask(3)], change)
    await records.attempts.insert(sampleAttempt, change)
    await records.sessions.insert(sampleSession(), change)
    await records.landings.insert(sampleLanding, change)
  })
}
