import { type Kysely, sql } from 'kysely'

/** The running time of runs, and what runs within other runs start with. */
export const migration0023 = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  'alter table runs add column active_ms bigint not null default 0',
  'alter table runs add column running_since timestamptz',
  'alter table runs add column continues jsonb',
  'alter table runs add column children jsonb',
  'create index runs_parent on runs (parent_id) where parent_id is not null',
]
