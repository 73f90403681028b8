import { type Kysely, sql } from 'kysely'

/** The playbook that works on a task. */
export const migration0022 = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table tasks add column playbook text`.execute(database)
  },
}
