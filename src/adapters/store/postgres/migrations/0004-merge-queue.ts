import { type Kysely, sql } from 'kysely'

/** Candidates of the merge queue, reviews, versions of the documents, learnings. */
export const migration0004 = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `create table candidates (
    id text primary key, job_id text not null references jobs, branch text not null,
    landing_ids text[] not null, base text, onto text not null, commit text not null, tree text not null,
    state jsonb not null, status text not null generated always as (state->>'type') stored,
    version integer not null default 1, checks jsonb not null,
    created_at timestamptz not null, ended_at timestamptz)`,
  `create index candidates_open on candidates (job_id, id) where status not in ('landed', 'dropped')`,
  // Two candidates on the same commit would fork the branch.
  `create unique index candidates_chain on candidates (job_id, branch, onto) where status not in ('landed', 'dropped')`,

  `drop index landings_one_at_a_time`,
  `alter table landings add column batch_limit integer not null default 64`,
  // Landings that were being checked are merged and checked again, as candidates.
  `update landings set state = '{"type":"queued"}' where status in ('checking', 'checked')`,

  `alter table jobs add column wanted_tasks text not null default ''`,
  `alter table jobs add column budget_notice text`,
  `alter table jobs add column moved_base jsonb`,
  `create index jobs_user on jobs (user_id, id)`,
  `alter table cycles add column learnings text`,

  `create table documents (
    job_id text not null references jobs, kind text not null, number integer not null, text text not null,
    author text not null, created_at timestamptz not null, cycle integer, primary key (job_id, kind, number))`,
  `create index documents_waiting on documents (job_id) where cycle is null`,

  `alter table tasks add column after integer[] not null default '{}'`,
  `alter table tasks add column clauses integer[] not null default '{}'`,
  `alter table tasks add column origin jsonb not null default '{"type":"planned"}'`,
  `alter table tasks add column rounds integer not null default 0`,
  `alter table tasks add column start_from text`,
  `alter table tasks add column criteria jsonb not null default '[]'`,
  `drop index attempts_fence`,
  `create unique index attempts_fence on attempts (task_id, role, number) where task_id is not null`,

  `alter table approvals add column asker jsonb`,
  `update approvals set asker = jsonb_build_object('type', 'session', 'sessionId', session_id, 'life', life,
    'requestId', request_id)`,
  `alter table approvals alter column asker set not null`,
  `drop index approvals_question`,
  `alter table approvals drop column session_id, drop column life, drop column request_id`,
  `alter table approvals add column session_id text generated always as (asker->>'sessionId') stored`,
  // A program's question, or the merge queue's question about a candidate, is asked once.
  `create unique index approvals_question on approvals (asker)`,
  `create index approvals_session on approvals (session_id) where session_id is not null`,
]
