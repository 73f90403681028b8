import { type Kysely, sql } from 'kysely'

/** Sessions that hold a conversation, can be suspended and resumed; approvals; handoffs. */
export const migration0002 = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `alter table sessions alter column job_id drop not null`,
  `alter table sessions add column mode text not null default 'headless'`,
  `alter table sessions add column life integer not null default 1`,
  `alter table sessions add column talk jsonb not null
    default '{"unsaid":"","unsaidAt":0,"openTurns":0,"usage":{"inputTokens":0,"outputTokens":0,"costUsd":0}}'`,
  `create index sessions_agent on sessions (agent_name, id)`,
  `create index sessions_role on sessions (role, id)`,

  `create table session_inputs (
    id bigint generated always as identity primary key, session_id text not null references sessions,
    input jsonb not null, created_at timestamptz not null default now(), said_at timestamptz)`,
  `create index session_inputs_unsaid on session_inputs (session_id, id) where said_at is null`,

  `alter table attempts add column handoffs jsonb not null default '[]'`,

  `alter table approvals alter column job_id drop not null`,
  `alter table approvals drop column decided_by`,
  `alter table approvals add column session_id text not null references sessions`,
  `alter table approvals add column life integer not null`,
  `alter table approvals add column request_id text not null`,
  `create unique index approvals_question on approvals (session_id, life, request_id)`,
  `create index approvals_pending on approvals (expires_at) where status = 'pending'`,
]
