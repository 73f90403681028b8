import { type Kysely, sql } from 'kysely'

/** The checks of the commits that jobs start from. */
export const migration0017 = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `create table baselines (
    id text primary key, project_id text not null references projects, repository_path text not null,
    commit text not null, tree text not null, digest text not null,
    checks jsonb not null, setup jsonb not null, copy jsonb not null, sandbox jsonb not null,
    state jsonb not null, status text not null generated always as (state->>'type') stored,
    results jsonb not null, version integer not null default 1,
    created_at timestamptz not null, ended_at timestamptz)`,
  // Jobs on the same base share one run, and a base that passed isn't checked again.
  `create unique index baselines_shared on baselines (project_id, digest) where status in ('checking', 'passed')`,
  `alter table jobs add column base jsonb`,
]
