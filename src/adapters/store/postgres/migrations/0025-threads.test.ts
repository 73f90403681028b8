import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { ids, storeExampleSession, storeExampleTask } from '../../../../../test/support/example-records.ts'
import { createTestDatabase } from '../../../../../test/support/test-database.ts'
import { openDatabase } from '../open-database.ts'
import { createPostgresStore } from '../postgres-store.ts'
import { migration0025 } from './0025-threads.ts'

const ADDED = [
  ...['type', 'priority', 'thread_id', 'sender_role', 'recipient_role', 'body_id', 'whole_body'],
  ...['broadcast_id', 'requires_response', 'deadline', 'overdue_at'],
]

it('gives messages of older versions a type, a thread and the roles of both sides', async () => {
  const database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  const store = createPostgresStore({ database, sendWork: async () => () => undefined })
  const trial = await storeExampleTask(store)
  const session = await storeExampleSession(store, trial, { role: 'developer' })
  const dropped = ADDED.map((column) => `drop column ${column}`).join(', ')
  await sql.raw(`alter table messages ${dropped}`).execute(database)
  await sql`drop table message_bodies`.execute(database)
  const insert = async (kind: string, sender: string, recipient: string, inReplyTo: string | null = null) => {
    const id = ids.next('message')
    await sql`insert into messages (id, job_id, sender, recipient, kind, subject, body, metadata, in_reply_to, state,
        created_at)
      values (${id}, ${trial.job.id}, ${sender}, ${recipient}, ${kind}, '', 'text', '{}'::jsonb, ${inReplyTo},
        '{"type":"queued"}'::jsonb, now())`.execute(database)
    return id
  }
  const question = await insert('question', session.id, 'person')
  const answer = await insert('answer', 'person', session.id, question)
  const thanks = await insert('text', session.id, 'person', answer)
  const progress = await insert('progress', session.id, 'engine')
  const complete = await insert('complete', session.id, 'engine')
  await migration0025.up(database as unknown as Kysely<unknown>)

  const found = await Promise.all(
    [question, answer, thanks, progress, complete].map((id) => store.read.messages.find(id)),
  )
  const asked = { threadId: question, priority: 'normal' }
  expect(found).toMatchObject([
    { ...asked, type: 'question', requiresResponse: true, senderRole: 'developer' },
    { ...asked, type: 'feedback', requiresResponse: false, recipientRole: 'developer' },
    { ...asked, type: 'feedback', requiresResponse: false, senderRole: 'developer' },
    { threadId: progress, type: 'status', requiresResponse: false },
    { threadId: complete, type: 'result', requiresResponse: false },
  ])
  expect(found[0]).not.toHaveProperty('recipientRole')
  expect(found[0]).not.toHaveProperty('wholeBody')
  await database.destroy()
})
