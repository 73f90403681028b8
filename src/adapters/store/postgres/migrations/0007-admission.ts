import { type Kysely, sql } from 'kysely'

/** Tasks that a limit keeps from starting are looked up whenever capacity is free. */
export const migration0007 = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create index tasks_waiting on tasks (id) where status = 'pending' and state ? 'waiting'`.execute(
      database,
    )
  },
}
