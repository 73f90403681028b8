import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../../../../test/support/test-database.ts'
import type { SessionId } from '../../../../domain/id.ts'
import { openDatabase } from '../open-database.ts'
import { createPostgresStore } from '../postgres-store.ts'
import { migration0001 } from './0001-spine.ts'
import { migration0002 } from './0002-conversations.ts'
import { migration0003 } from './0003-messages.ts'
import { migration0004 } from './0004-merge-queue.ts'
import { migration0006 } from './0006-purposes.ts'
import { migration0009 } from './0009-plain-names.ts'

const CONVERSATION = {
  unsaid: 'say "unsaid": and \\"wishes\\":',
  unsaidAt: 7,
  openTurns: 1,
  usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
  dialogue: { wishes: { model: 'large' }, turn: { isAnswerOver: true }, calls: [{ id: '1', isTold: false }] },
}

it('renames columns and keys that an older version stored, but no text in their values', async () => {
  const database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  const untyped = database as unknown as Kysely<unknown>
  await sql.raw('drop schema muster cascade; create schema muster').execute(database)
  for (const migration of [migration0001, migration0002, migration0003, migration0004, migration0006]) {
    await migration.up(untyped)
  }
  await sql`insert into sessions (id, purpose, agent_name, provider, role, state, life, talk, created_at)
    values ('ses_1', '{"type":"personal"}', 'ada', 'acp', 'worker',
    '{"type":"suspended","why":{"type":"asked","reason":""},"isOver":true}', 3,
    ${JSON.stringify(CONVERSATION)}::jsonb, now())`.execute(database)
  await sql`insert into events (stream_id, seq, session_id, type, data, at)
    values ('ses_1', 1, 'ses_1', 'session_resumed', '{"life":3,"pid":9}', now())`.execute(database)
  await migration0009.up(untyped)
  const { read } = createPostgresStore({ database, sendWork: async () => () => undefined })
  expect(await read.sessions.find('ses_1' as SessionId)).toMatchObject({
    processNumber: 3,
    state: { type: 'suspended', hasExited: true },
    conversation: {
      lastInput: CONVERSATION.unsaid,
      lastInputAt: 7,
      dialogue: {
        requested: { model: 'large' },
        turn: { isAnswerFinished: true },
        calls: [{ isReported: false }],
      },
    },
  })
  const { rows } = await sql<{ data: unknown }>`select data from events`.execute(database)
  expect(rows).toEqual([{ data: { processNumber: 3, pid: 9 } }])
  await database.destroy()
})
