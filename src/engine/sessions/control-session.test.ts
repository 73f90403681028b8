import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  exampleChange,
  exampleSession,
  storeExampleJob,
  storeExampleSession,
  storeExampleTask,
} from '../../../test/support/example-records.ts'
import { createTestDatabase } from '../../../test/support/test-database.ts'
import type { Database } from '../../adapters/store/postgres/database.ts'
import { openDatabase } from '../../adapters/store/postgres/open-database.ts'
import { createPostgresStore } from '../../adapters/store/postgres/postgres-store.ts'
import { NO_CONVERSATION } from '../../domain/session/conversation-state.ts'
import type { Session } from '../../domain/session/session.ts'
import type { EngineSettings } from '../engine-needs.ts'
import { continueSession, interruptSession, sayToSession } from './control-session.ts'

let database: Kysely<Database>
let needs: Parameters<typeof sayToSession>[0]

beforeAll(async () => {
  database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  needs = {
    store: createPostgresStore({ database, sendWork: async () => () => undefined }),
    clock: { now: () => new Date() },
    settings: {} as EngineSettings,
    wakeAt: () => undefined,
    adoptSession: () => undefined,
  }
})

afterAll(() => database.destroy())

async function stored(fields: Partial<Session>): Promise<Session> {
  const job = await storeExampleJob(needs.store)
  const conversation = { ...NO_CONVERSATION, dialogue: {}, providerSessionId: 'one' }
  const session = exampleSession(job, { conversation, ...fields })
  return await needs.store.transact((records) => records.sessions.insert(session, exampleChange()))
}

async function eventsOf({ jobId }: Session) {
  const events = await sql<{ type: string; data: { readonly text?: string } }>`
    select type, data from events where stream_id = ${jobId} order by seq`.execute(database)
  return events.rows.map(({ type, data }) => [type, data.text])
}

describe('what a person says to a session', () => {
  it('is an event', async () => {
    const session = await stored({})
    expect((await sayToSession(needs, session.id, 'use the cache')).ok).toBe(true)
    expect((await interruptSession(needs, session.id)).ok).toBe(true)
    expect(await eventsOf(session)).toEqual([['session_prompted', 'use the cache']])
  })

  it('belongs to the log of the task that the session works on', async () => {
    const trial = await storeExampleTask(needs.store)
    const session = await storeExampleSession(needs.store, trial, {
      conversation: { ...NO_CONVERSATION, dialogue: {}, providerSessionId: 'one' },
    })
    expect((await sayToSession(needs, session.id, 'use the cache')).ok).toBe(true)
    const { rows } = await sql`select task_id from events where stream_id = ${session.jobId}`.execute(
      database,
    )
    expect(rows).toEqual([{ taskId: trial.task.id }])
  })

  it('is an event when it resumes the session, unlike the standard prompt', async () => {
    const state = { type: 'suspended', why: { type: 'asked', reason: 'a break' }, hasExited: true } as const
    const one = await stored({ state })
    expect((await continueSession(needs, one.id, 'and now the tests')).ok).toBe(true)
    expect(await eventsOf(one)).toEqual([['session_prompted', 'and now the tests']])
    const other = await stored({ state })
    expect((await continueSession(needs, other.id)).ok).toBe(true)
    expect(await eventsOf(other)).toEqual([])
  })
})
