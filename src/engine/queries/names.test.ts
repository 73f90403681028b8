import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  exampleAttempt,
  exampleChange,
  exampleCycle,
  exampleJob,
  exampleTask,
  storeExampleJob,
} from '../../../test/support/example-records.ts'
import { createTestDatabase } from '../../../test/support/test-database.ts'
import type { Database } from '../../adapters/store/postgres/database.ts'
import { openDatabase } from '../../adapters/store/postgres/open-database.ts'
import { createPostgresStore } from '../../adapters/store/postgres/postgres-store.ts'
import type { AttemptId, JobId, TaskId } from '../../domain/id.ts'
import { NAMED_KINDS, shortId } from '../../domain/short-id.ts'
import type { Store } from '../../ports/store/store.ts'
import { findNames } from './names.ts'

let database: Kysely<Database>
let store: Store

const FIRST = 'job_0mwaaaaaax3f9k000001' as JobId
const SECOND = 'job_0mwbbbbbbx3f9m000002' as JobId
const THIRD = 'job_0mwccccccq7200000003' as JobId
const TASK = 'tsk_0mwccccccx3f9k000004' as TaskId

beforeAll(async () => {
  database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  store = createPostgresStore({ database, sendWork: async () => () => undefined })
  await storeExampleJob(store, {
    id: FIRST,
    requestDocument: '# Parse week numbers\n\nAlso 100% of the_rest',
  })
  await storeExampleJob(store, { id: SECOND, requestDocument: 'Print dates\n\nnot week numbers' })
  const job = await storeExampleJob(store, { id: THIRD, requestDocument: 'x3f9 is a title' })
  const cycle = exampleCycle(job)
  await store.transact(async (records) => {
    await records.cycles.insert(cycle, exampleChange())
    await records.tasks.insertAll(
      [exampleTask(cycle, { id: TASK, description: 'Teach the parser week numbers' })],
      exampleChange(),
    )
  })
})

afterAll(() => database.destroy())

async function named(text: string, kinds = NAMED_KINDS as readonly (typeof NAMED_KINDS)[number][]) {
  const { items } = await findNames({ store }, { text, kinds })
  return items.map(({ by, record }) => [by, record.id])
}

describe('names', () => {
  it('are as short as they can be while they tell all records of their kind apart', async () => {
    const { lengths, items } = await findNames({ store }, {})
    expect(items).toEqual([])
    expect(lengths).toMatchObject({ job: 5, task: 4, session: 4 })
    expect([FIRST, SECOND, THIRD].map((id) => shortId(id, lengths))).toEqual([
      'job_x3f9k',
      'job_x3f9m',
      'job_q7200',
    ])
  })

  it('get their length from one query, however alike they are', async () => {
    let queries = 0
    const counted = database.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const reader = createPostgresStore({ database: counted, sendWork: async () => () => undefined })
    const job = await store.read.jobs.find(THIRD)
    const purpose = { type: 'task', taskId: TASK } as const
    const alike = ['0mwaaaaaaabcdefgh001', '0mwbbbbbbabcdefgh101', '0mwccccccabcd0000000']
    await store.transact(async (records) => {
      for (const [number, digits] of alike.entries()) {
        const attempt = exampleAttempt(job ?? exampleJob(), {
          id: `att_${digits}` as AttemptId,
          purpose,
          number,
        })
        await records.attempts.insert(attempt, exampleChange())
      }
    })
    queries = 0
    expect(await reader.read.names.lengths()).toMatchObject({ job: 5, attempt: 9, message: 4 })
    expect(queries).toBe(1)
  })

  it.each([
    ['job_x3f9k', ['job'], [['short-id', FIRST]]],
    ['X3F9K', ['job'], [['short-id', FIRST]]],
    ['job_q', ['job'], [['short-id', THIRD]]],
    ['job_0mwb', ['job'], [['id-start', SECOND]]],
    [FIRST, ['job'], [['id-start', FIRST]]],
    ['q72', ['job'], []],
  ] as const)('%s finds jobs by their ids', async (text, kinds, expected) => {
    expect(await named(text, kinds)).toEqual(expected)
  })

  it('find every record whose short id starts with the text, and titles too', async () => {
    expect(await named('x3f9')).toEqual([
      ['short-id', SECOND],
      ['short-id', FIRST],
      ['title', THIRD],
      ['short-id', TASK],
    ])
  })

  it('find jobs by their title, not by the rest of the goal, and tasks by their description', async () => {
    expect(await named('Week Numbers')).toEqual([
      ['title', FIRST],
      ['title', TASK],
    ])
    expect(await named('100%')).toEqual([])
    expect(await named('we')).toEqual([])
    expect(await named('nothing like this')).toEqual([])
  })

  it('find the newest records of the asked kinds without a text', async () => {
    expect(await named('', ['job'])).toEqual([THIRD, SECOND, FIRST].map((id) => ['title', id]))
  })
})
