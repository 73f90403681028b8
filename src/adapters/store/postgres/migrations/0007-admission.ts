import { type Kysely, sql } from 'kysely'

/** Tasks that wait for a limit are looked up whenever capacity becomes free. */
export const migration0007 = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create index tasks_waiting on tasks (id) where status = 'pending' and state ? 'waiting'`.execute(
      database,
    )
  },
}
