import { type Kysely, sql } from 'kysely'

/** What messages are about, how urgent they are, the conversation they belong to, and texts too long for a message. */
export const migration0025 = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `create table message_bodies (
    id text primary key, job_id text references jobs, text text not null, created_at timestamptz not null default now(),
    check (octet_length(text) <= 1048576))`,
  `create index message_bodies_job on message_bodies (job_id) where job_id is not null`,
  `alter table messages
    add column type text, add column priority text not null default 'normal', add column thread_id text,
    add column sender_role text, add column recipient_role text, add column whole_body jsonb,
    add column broadcast_id text references messages, add column requires_response boolean not null default false,
    add column deadline timestamptz, add column overdue_at timestamptz`,
  `alter table messages
    add column body_id text generated always as (whole_body->>'id') stored references message_bodies`,
  `update messages set requires_response = (kind = 'question'), type = case kind
    when 'question' then 'question' when 'complete' then 'result'
    when 'progress' then 'status' when 'handoff' then 'status' else 'feedback' end`,
  // Replies belong to the conversation of the message that they reply to.
  `with recursive threads (id, thread_id) as (
      select id, id from messages where in_reply_to is null
      union all select messages.id, threads.thread_id from messages join threads on messages.in_reply_to = threads.id)
    update messages set thread_id = threads.thread_id from threads where threads.id = messages.id`,
  `update messages set sender_role = sessions.role from sessions where sessions.id = messages.sender`,
  `update messages set recipient_role = sessions.role from sessions where sessions.id = messages.recipient`,
  `alter table messages alter column type set not null, alter column thread_id set not null`,
  `create index messages_thread on messages (thread_id, id)`,
  `create index messages_body on messages (body_id) where body_id is not null`,
  `create index messages_broadcast on messages (broadcast_id) where broadcast_id is not null`,
  `create index messages_deadline on messages (deadline) where deadline is not null and overdue_at is null`,
]
