import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  exampleAttempt,
  exampleChange,
  exampleCycle,
  exampleSession,
  exampleTask,
  ids,
  storeExampleJob,
} from '../../../../test/support/example-records.ts'
import { until } from '../../../../test/support/test-daemon.ts'
import { createTestDatabase } from '../../../../test/support/test-database.ts'
import type { Attempt } from '../../../domain/attempt/attempt.ts'
import type { Baseline } from '../../../domain/baseline/baseline.ts'
import type { NewEvent } from '../../../domain/event/event.ts'
import { jobPlace } from '../../../domain/event/event-place.ts'
import { jobStarted } from '../../../domain/event/job-events.ts'
import { checkPrinted } from '../../../domain/event/task-events.ts'
import type { Job } from '../../../domain/job/job.ts'
import type { Candidate } from '../../../domain/landing/candidate.ts'
import { USUAL_SANDBOX } from '../../../domain/session/sandbox-policy.ts'
import { StaleRecordError, type Store } from '../../../ports/store/store.ts'
import type { Work } from '../../../ports/work-queue.ts'
import { createAuditChain } from './audit-chain.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { migration0001 } from './migrations/0001-spine.ts'
import { migration0002 } from './migrations/0002-conversations.ts'
import { migration0003 } from './migrations/0003-messages.ts'
import { migration0004 } from './migrations/0004-merge-queue.ts'
import { migration0008 } from './migrations/0008-candidate-purpose.ts'
import { openDatabase } from './open-database.ts'
import { createPostgresFeed } from './postgres-feed.ts'
import { createPostgresStore } from './postgres-store.ts'

let database: Kysely<Database>
/** A separate pool, so that a test inside a transaction doesn't wait for the store's connections. */
let aside: Kysely<Database>
let store: Store
const sent: Work[] = []

beforeAll(async () => {
  const connection = { ...(await createTestDatabase()) }
  database = openDatabase(connection, () => undefined)
  aside = openDatabase(connection, () => undefined)
  expect((await migrate(database)).ok).toBe(true)
  store = createPostgresStore({
    database,
    sendWork: (_, work) => {
      sent.push(...work)
      return Promise.resolve(() => undefined)
    },
  })
})

afterAll(async () => {
  await database.destroy()
  await aside.destroy()
})

function lineEvent(job: Job, text: string): NewEvent {
  return checkPrinted(jobPlace(job), text)
}

async function readEvents(job: Job) {
  const feed = createPostgresFeed({ database, connection: {}, onLost: () => undefined })
  return await feed.read(job.id, 0, 100_000)
}

describe('the PostgreSQL store', () => {
  it('returns the shared baseline however often one connection asks for it', async () => {
    const { projectId, repositoryPath, baseCommit } = await storeExampleJob(store)
    const baseline = (): Baseline => ({
      ...{ id: ids.next('baseline'), projectId, repositoryPath, commit: baseCommit, tree: 'd'.repeat(40) },
      ...{ digest: 'shared', checks: ['true'], setup: [], copy: [], results: [] },
      sandbox: USUAL_SANDBOX,
      state: { type: 'passed' },
      version: 1,
      createdAt: new Date(),
    })
    // From its sixth run on a connection, PostgreSQL may plan a prepared statement without looking at its parameters.
    const found = await store.transact(async (records) => {
      const all: Baseline[] = []
      for (let run = 0; run < 8; run += 1)
        all.push(await records.baselines.ensure(baseline(), exampleChange()))
      return all
    })
    expect(new Set(found.map(({ id }) => id)).size).toBe(1)
  })

  it('stores a state, its event, its audit row and its work together or not at all', async () => {
    const job = await storeExampleJob(store)
    const before = await createAuditChain(database).head()
    sent.length = 0
    const change = {
      ...exampleChange('job-start'),
      events: [jobStarted(job, [])],
      follow: [{ type: 'job-advance', jobId: job.id } as const],
    }
    await store.withJob(job.id, (records, locked) =>
      records.jobs.save({ ...locked, state: { type: 'running', pausing: false } }, change),
    )
    expect((await store.read.jobs.find(job.id))?.state).toEqual({ type: 'running', pausing: false })
    expect((await readEvents(job)).map((event) => event.type)).toEqual(['job_started'])
    expect((await createAuditChain(database).head()).seq).toBe(before.seq + 1)
    expect(sent).toEqual([{ type: 'job-advance', jobId: job.id }])

    const failing = store.withJob(job.id, async (records, locked) => {
      await records.jobs.save({ ...locked, state: { type: 'paused' } }, change)
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect((await store.read.jobs.find(job.id))?.state.type).toBe('running')
    expect(await readEvents(job)).toHaveLength(1)
    expect((await createAuditChain(database).head()).seq).toBe(before.seq + 1)
  })

  it('refuses to save a row that has changed since it was read', async () => {
    const job = await storeExampleJob(store)
    await store.transact((records) => records.jobs.save(job, exampleChange()))
    const late = store.transact((records) => records.jobs.save(job, exampleChange()))
    await expect(late).rejects.toBeInstanceOf(StaleRecordError)
  })

  it('returns the first job for a repeated idempotency key', async () => {
    const job = await storeExampleJob(store)
    const again = { ...job, workingBranch: 'x' }
    const first = await store.transact((records) =>
      records.jobs.insert({ ...again, id: ids.next('job') }, exampleChange(), 'the-key'),
    )
    const second = await store.transact((records) =>
      records.jobs.insert({ ...again, id: ids.next('job') }, exampleChange(), 'the-key'),
    )
    expect(second.id).toBe(first.id)
  })

  it('allows one live attempt per task', async () => {
    const job = await storeExampleJob(store)
    const cycle = exampleCycle(job)
    const task = exampleTask(cycle)
    const attempt = (number: number): Attempt => ({
      id: ids.next('attempt'),
      jobId: job.id,
      purpose: { type: 'task', taskId: task.id },
      role: 'worker',
      number,
      agent: { name: 'one', provider: 'command', roles: [], env: [] },
      sessionId: ids.next('session'),
      state: { type: 'preparing' },
      handoffs: [],
      version: 1,
      createdAt: new Date(),
    })
    await store.transact(async (records) => {
      await records.cycles.insert(cycle, exampleChange())
      await records.tasks.insertAll([task], exampleChange())
      await records.attempts.insert(attempt(1), exampleChange())
    })
    const second = store.transact((records) => records.attempts.insert(attempt(2), exampleChange()))
    await expect(second).rejects.toThrow('attempts_live_task')
  })

  it('numbers the attempts of one kind at a task, whatever their roles are called', async () => {
    const job = await storeExampleJob(store)
    const cycle = exampleCycle(job)
    const task = exampleTask(cycle)
    const insert = (type: 'task' | 'review', role: string) =>
      store.transact((records) =>
        records.attempts.insert(
          exampleAttempt(job, {
            purpose: { type, taskId: task.id },
            role,
            number: 1,
            state: { type: 'settled', outcome: { type: 'cancelled' } },
          }),
          exampleChange(),
        ),
      )
    await store.transact(async (records) => {
      await records.cycles.insert(cycle, exampleChange())
      await records.tasks.insertAll([task], exampleChange())
    })
    await insert('task', 'worker')
    await insert('review', 'worker')
    await expect(insert('task', 'scribe')).rejects.toThrow('attempts_fence')
  })

  it('allows one open candidate per branch and commit', async () => {
    const job = await storeExampleJob(store)
    const candidate = (overrides: Partial<Candidate> = {}): Candidate => ({
      id: ids.next('candidate'),
      jobId: job.id,
      branch: job.workingBranch,
      purpose: { type: 'landings', landingIds: [ids.next('landing')] },
      onto: job.baseCommit,
      commit: 'b'.repeat(40),
      tree: 'c'.repeat(40),
      state: { type: 'passed' },
      checks: [],
      version: 1,
      createdAt: new Date(),
      ...overrides,
    })
    const insert = (one: Candidate) =>
      store.transact((records) => records.candidates.insert(one, exampleChange()))
    const first = await insert(candidate())
    await expect(insert(candidate())).rejects.toThrow('candidates_chain')
    const merge: Candidate = candidate({ branch: job.baseBranch, purpose: { type: 'merge', tries: 2 } })
    await insert(merge)
    await insert(candidate({ onto: first.commit, purpose: { type: 'base', commit: 'd'.repeat(40) } }))
    await store.transact((records) =>
      records.candidates.save({ ...first, state: { type: 'dropped', reason: 'it failed' } }, exampleChange()),
    )
    await insert(candidate())
    expect((await store.read.candidates.find(merge.id))?.purpose).toEqual(merge.purpose)
    expect((await store.read.candidates.listOpen(job.id)).map(({ purpose }) => purpose.type)).toEqual([
      'merge',
      'base',
      'landings',
    ])
  })

  it('stores an event, an audit entry and work without changing a row', async () => {
    const job = await storeExampleJob(store)
    const before = await createAuditChain(database).head()
    const work: Work = { type: 'job-advance', jobId: job.id }
    const change = { ...exampleChange('look-again'), events: [lineEvent(job, 'hello')], follow: [work] }
    sent.length = 0
    await store.transact((records) => records.note(change))
    expect(await readEvents(job)).toMatchObject([{ type: 'task_progress' }])
    expect((await createAuditChain(database).head()).seq).toBe(before.seq + 1)
    expect(sent).toEqual([work])
    expect((await store.read.jobs.find(job.id))?.version).toBe(job.version)
    const rolledBack = store.transact(async (records) => {
      await records.note(change)
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    expect(await readEvents(job)).toHaveLength(1)
    await expect(store.read.note(change)).rejects.toThrow('outside a transaction')
  })

  it('lets one transaction at a time decide on admission', async () => {
    let inside = 0
    let most = 0
    const decide = () =>
      store.transact(async (records) => {
        await records.sessions.lockAdmission()
        inside += 1
        most = Math.max(most, inside)
        await records.sessions.listLive()
        inside -= 1
      })
    await Promise.all([decide(), decide(), decide(), decide()])
    expect(most).toBe(1)
  })

  it('numbers a stream without gaps under concurrent writes', async () => {
    const job = await storeExampleJob(store)
    const other = await storeExampleJob(store)
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        store
          .transact(async (records) => {
            const target = index % 3 === 0 ? other : job
            await records.sessions.insert(exampleSession(target), {
              ...exampleChange(),
              events: [lineEvent(target, `${index} a`), lineEvent(target, `${index} b`)],
            })
            if (index % 7 === 0) throw new Error('rolled back')
          })
          .catch((error: Error) => {
            if (error.message !== 'rolled back') throw error
          }),
      ),
    )
    for (const one of [job, other]) {
      const seqs = (await readEvents(one)).map((event) => event.seq)
      expect(seqs.length).toBeGreaterThan(10)
      expect(seqs).toEqual(seqs.map((_, index) => index + 1))
    }
  })

  it('moves spool offsets and stores their lines together, exactly once', async () => {
    const job = await storeExampleJob(store)
    const session = exampleSession(job)
    await store.transact((records) => records.sessions.insert(session, exampleChange()))
    const progress = {
      sessionId: session.id,
      fromOut: 0,
      toOut: 10,
      fromErr: 0,
      toErr: 0,
      events: [lineEvent(job, 'ten bytes')],
    }
    expect(await store.transact((records) => records.sessions.advance([progress]))).toEqual([session.id])
    expect(await store.transact((records) => records.sessions.advance([progress]))).toEqual([])
    expect(await readEvents(job)).toHaveLength(1)
    expect((await store.read.sessions.find(session.id))?.outOffset).toBe(10)
  })

  it('feeds the events of all jobs so that none appears behind a reader', async () => {
    const feed = createPostgresFeed({ database, connection: {}, onLost: () => undefined })
    let cursor = await feed.latest()
    const seen: string[] = []
    const jobs = await Promise.all([1, 2, 3].map(() => storeExampleJob(store)))
    let writing = true
    const writers = Promise.all(
      jobs.flatMap((job) =>
        Array.from({ length: 20 }, async (_, index) => {
          await store.transact(async (records) => {
            await records.sessions.insert(exampleSession(job), {
              ...exampleChange(),
              events: [lineEvent(job, `${index}`)],
            })
            if (index % 3 === 0) await sql`select pg_sleep(0.01)`.execute(aside)
          })
        }),
      ),
    ).finally(() => {
      writing = false
    })
    const readMore = async () => {
      const page = await feed.readAll(cursor, 7)
      const own = page.filter(({ jobId }) => jobs.some(({ id }) => id === jobId))
      seen.push(...own.map((event) => `${event.jobId}/${event.seq}`))
      cursor = page.at(-1)?.cursor ?? cursor
    }
    while (writing) await readMore()
    await writers
    // The feed ends before the oldest open transaction of the server, and other test files use the same server.
    await until(async () => {
      await readMore()
      return seen.length >= 60
    })
    await readMore()
    expect(new Set(seen).size).toBe(60)
    expect(seen).toHaveLength(60)
  })

  it('lets rows that refer to a job be inserted while the job is locked', async () => {
    const job = await storeExampleJob(store)
    // Those who insert may hold the admission lock, which those who lock the job ask for next.
    const inserted = await store.withJob(job.id, () =>
      Promise.race([
        store.transact((records) => records.sessions.insert(exampleSession(job), exampleChange())),
        sleep(10_000, undefined),
      ]),
    )
    expect(inserted?.jobId).toBe(job.id)
  })

  it('refuses a database that a newer version has used', async () => {
    const newer = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
    await migrate(newer)
    await sql`insert into kysely_migration values ('9999-future', now()::text)`.execute(newer)
    expect(await migrate(newer)).toMatchObject({
      ok: false,
      failure: { type: 'schema-newer', found: '9999-future' },
    })
    await newer.destroy()
  })
})

describe('migration 0008', () => {
  it('derives the purpose of candidates from their columns and branch', async () => {
    const old = openDatabase(await createTestDatabase(), () => undefined)
    await sql`drop schema muster cascade`.execute(old)
    await sql`create schema muster`.execute(old)
    const schema = old as unknown as Kysely<unknown>
    for (const { up } of [migration0001, migration0002, migration0003, migration0004]) await up(schema)
    await sql`insert into projects values ('prj', '/nowhere', 'nowhere', now())`.execute(old)
    await sql`insert into jobs (id, project_id, user_id, repository_path, base_branch, base_commit,
      working_branch, request_document, task_list, plan, state, created_at, updated_at) values
      ('job', 'prj', 'me', '/nowhere', 'main', 'a', 'muster/job', '', '', '{}', '{"type":"paused"}', now(), now())`.execute(
      old,
    )
    await sql`insert into candidates
      (id, job_id, branch, landing_ids, base, onto, commit, tree, state, checks, created_at) values
      ('1', 'job', 'muster/job', '{lnd_1,lnd_2}', null, 'a', 'b', 't', '{"type":"landed"}', '[]', now()),
      ('2', 'job', 'muster/job', '{}', 'c', 'b', 'd', 't', '{"type":"passed"}', '[]', now()),
      ('3', 'job', 'main', '{}', null, 'c', 'e', 't', '{"type":"passed"}', '[]', now())`.execute(old)
    await migration0008.up(schema)
    const rows = await old.selectFrom('candidates').select('purpose').orderBy('id').execute()
    expect(rows.map(({ purpose }) => purpose)).toEqual([
      { type: 'landings', landingIds: ['lnd_1', 'lnd_2'] },
      { type: 'base', commit: 'c' },
      { type: 'merge', tries: 1 },
    ])
    await old.destroy()
  })
})
