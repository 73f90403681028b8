import { CompiledQuery, type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleChange, ids, storeExampleJob } from '../../../../test/support/example-records.ts'
import { silentLog } from '../../../../test/support/silent-log.ts'
import { until } from '../../../../test/support/test-daemon.ts'
import { createTestDatabase } from '../../../../test/support/test-database.ts'
import type { JobId } from '../../../domain/id.ts'
import type { Store } from '../../../ports/store/store.ts'
import type { Work, WorkQueue } from '../../../ports/work-queue.ts'
import type { Database } from '../../store/postgres/database.ts'
import { openDatabase } from '../../store/postgres/open-database.ts'
import { createPostgresStore } from '../../store/postgres/postgres-store.ts'
import { createPgBossQueue } from './pg-boss-queue.ts'

let database: Kysely<Database>
let queue: WorkQueue
let store: Store
const done: Work[] = []
const refusals = new Map<string, number>()

beforeAll(async () => {
  const connection = { ...(await createTestDatabase()) }
  database = openDatabase(connection, () => undefined)
  queue = createPgBossQueue({ log: silentLog }, connection)
  await queue.start(async (work) => {
    const id = 'jobId' in work ? work.jobId : ''
    const left = refusals.get(id) ?? 0
    refusals.set(id, left - 1)
    if (left > 0) throw new Error('not this time')
    done.push(work)
  })
  store = createPostgresStore({
    database,
    sendWork: (transaction, work) => queue.sendWithin(transaction, work),
  })
})

afterAll(async () => {
  await queue.stop()
  await database.destroy()
})

async function sendCommitted(work: readonly Work[]): Promise<() => void> {
  return await database.transaction().execute((transaction) =>
    queue.sendWithin(
      {
        executeSql: async (text, values = []) => ({
          rows: (await transaction.executeQuery(CompiledQuery.raw(text, values))).rows,
        }),
      },
      work,
    ),
  )
}

async function copiesOf(jobId: JobId): Promise<number | undefined> {
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from pgboss.job where data->>'jobId' = ${jobId}`.execute(database)
  return counted.rows[0]?.count
}

const hasDone = (jobId: JobId) => done.some((work) => 'jobId' in work && work.jobId === jobId)

describe('the pg-boss queue', () => {
  it('does work only if its transaction commits', async () => {
    const job = await storeExampleJob(store)
    const lost = ids.next('job')
    const follow = (jobId: JobId) => ({
      ...exampleChange(),
      follow: [{ type: 'job-advance', jobId } as const],
    })
    const failing = store.transact(async (records) => {
      await records.jobs.save(job, follow(lost))
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await store.transact((records) => records.jobs.save(job, follow(job.id)))
    await until(() => hasDone(job.id))
    expect(hasDone(lost)).toBe(false)
    expect(await copiesOf(lost)).toBe(0)
  })

  it('does committed work at once and removes its stored copy', async () => {
    const jobId = ids.next('job')
    const committed = await sendCommitted([{ type: 'job-advance', jobId }])
    expect(hasDone(jobId)).toBe(false)
    committed()
    await Promise.resolve()
    expect(hasDone(jobId)).toBe(true)
    await until(async () => (await copiesOf(jobId)) === 0)
    expect(done.filter((work) => 'jobId' in work && work.jobId === jobId)).toHaveLength(1)
  })

  it('does work from its stored copy if the process dies after the commit', async () => {
    const jobId = ids.next('job')
    await sendCommitted([{ type: 'job-advance', jobId }])
    await until(() => hasDone(jobId))
  })

  it('retries committed work that failed', async () => {
    const jobId = ids.next('job')
    refusals.set(jobId, 1)
    const committed = await sendCommitted([{ type: 'job-advance', jobId }])
    committed()
    await until(() => hasDone(jobId))
    expect(refusals.get(jobId)).toBe(-1)
  })

  it('hands work that nothing depends on over without storing it', async () => {
    const projectId = ids.next('project')
    const isDone = () => done.some((work) => 'projectId' in work && work.projectId === projectId)
    const committed = await sendCommitted([{ type: 'trees-warm', projectId }])
    const stored = await sql`select from pgboss.job where data->>'projectId' = ${projectId}`.execute(database)
    expect(stored.rows).toEqual([])
    committed()
    await until(isDone)
    done.length = 0
    await queue.send({ type: 'trees-warm', projectId })
    await until(isDone)
  })

  it('does all work that is sent at once', async () => {
    const many = Array.from({ length: 40 }, () => ids.next('job'))
    await Promise.all(many.map((jobId) => queue.send({ type: 'landing-advance', jobId })))
    await until(() => many.every(hasDone))
  })

  it('retries sent work that failed', async () => {
    const jobId = ids.next('job')
    refusals.set(jobId, 1)
    await queue.send({ type: 'job-advance', jobId })
    await until(() => hasDone(jobId))
  })
})
