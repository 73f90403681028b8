import { type Kysely, sql } from 'kysely'

/** Playbooks as they were when jobs pinned them, their runs, and the visits of each run. */
export const migration0021 = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `create table pinned_playbooks (
    hash text primary key, name text not null, playbook jsonb not null, files jsonb not null,
    created_at timestamptz not null default now())`,
  `create table runs (
    id text primary key, job_id text not null references jobs, task_id text not null references tasks,
    parent_id text, playbook jsonb not null, goal text not null, inputs jsonb not null, members jsonb not null,
    base_commit text not null, counters jsonb not null, state jsonb not null,
    status text generated always as (state->>'type') stored, recoveries integer not null, version integer not null,
    created_at timestamptz not null, ended_at timestamptz)`,
  `create unique index runs_live on runs (task_id) where status in ('running', 'asking') and parent_id is null`,
  `create index runs_task on runs (task_id)`,
  `create index runs_job on runs (job_id)`,
  `create table visits (
    id text primary key, run_id text not null references runs, ordinal integer not null, stage text not null,
    round integer not null, branch integer not null, inputs jsonb not null, item jsonb, state jsonb not null,
    attempt_id text references attempts, tries integer not null,
    recoveries jsonb not null, replaced jsonb not null, problem text, commit text, work jsonb, answer jsonb,
    version integer not null, created_at timestamptz not null, ended_at timestamptz)`,
  `create unique index visits_place on visits (run_id, ordinal, branch)`,
  `create index visits_attempt on visits (attempt_id) where attempt_id is not null`,
  `alter table attempts add column admitted_as text`,
  `alter table sessions add column admitted_as text`,
  `alter table attempts add column visit_id text generated always as (purpose->>'visitId') stored`,
  `create unique index attempts_live_visit on attempts (visit_id) where visit_id is not null and status <> 'settled'`,
  `create unique index attempts_visit_fence on attempts (visit_id, number) where visit_id is not null`,
]
