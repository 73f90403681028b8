import { type Kysely, sql } from 'kysely'

/** The troubles of each visit, and the conversations that attempts continue. */
export const migration0024 = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `alter table visits add column troubles jsonb not null default '[]'`,
  `alter table attempts add column continues jsonb`,
]
