import { type Kysely, sql } from 'kysely'

/** Messages between agents, people and the engine, each with its receipt. */
export const migration0003 = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `drop table messages`,
  `create table messages (
    id text primary key, position bigint generated always as identity, job_id text references jobs, sender text not null, recipient text not null,
    kind text not null, subject text not null, body text not null, metadata jsonb not null,
    in_reply_to text references messages, dedupe_key text, state jsonb not null,
    status text not null generated always as (state->>'type') stored, version integer not null default 1,
    created_at timestamptz not null, delivered_at timestamptz, ended_at timestamptz,
    check (octet_length(body) <= 65536), unique (sender, dedupe_key))`,
  // Few messages wait at a time, however long the history is.
  `create index messages_open on messages (recipient, position) where status in ('queued', 'delivered')`,
  `create index messages_job on messages (job_id, id)`,
  `create index messages_sender on messages (sender, id)`,
  `create index messages_recipient on messages (recipient, id)`,
  // A question has one answer: the first.
  `create unique index messages_answer on messages (in_reply_to) where kind = 'answer'`,
]
