import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { storeExampleJob } from '../../../../../test/support/example-records.ts'
import { createTestDatabase } from '../../../../../test/support/test-database.ts'
import { openDatabase } from '../open-database.ts'
import { createPostgresStore } from '../postgres-store.ts'
import { migration0010 } from './0010-early-checks.ts'

const STATES = [
  '{"type":"checking","checkIndex":1,"sessionId":"ses_1","isRepeat":true,"lost":2}',
  '{"type":"checking","checkIndex":0,"sessionId":"ses_2","isRepeat":false}',
  '{"type":"checking","checkIndex":0,"sessionId":"ses_3","suspects":[0],"lost":1}',
  '{"type":"passed"}',
]

it('adds the suspects of checks that an early version stored, and leaves other checks unchanged', async () => {
  const database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  const store = createPostgresStore({ database, sendWork: async () => () => undefined })
  const job = await storeExampleJob(store)
  for (const [index, state] of STATES.entries()) {
    await sql
      .raw(`insert into candidates (id, job_id, branch, purpose, onto, commit, tree, state, checks, created_at)
        values ('cnd_${index}', '${job.id}', 'b', '{"type":"merge","tries":1}', 'c${index}', 'd', 't', '${state}',
        '[]', now())`)
      .execute(database)
  }
  await migration0010.up(database as unknown as Kysely<unknown>)
  expect((await store.read.candidates.listOfJob(job.id)).map(({ state }) => state)).toEqual([
    { type: 'checking', checkIndex: 1, sessionId: 'ses_1', suspects: [1], lost: 2 },
    { type: 'checking', checkIndex: 0, sessionId: 'ses_2', suspects: [], lost: 0 },
    { type: 'checking', checkIndex: 0, sessionId: 'ses_3', suspects: [0], lost: 1 },
    { type: 'passed' },
  ])
  await database.destroy()
})
