import { type Kysely, sql } from 'kysely'

/** Adds how much the work on a task changes, and why a person must see it. */
export const migration0014 = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table tasks add column changes jsonb').execute(database)
  },
}
