import { type Kysely, sql } from 'kysely'

/** Each guarded part that the person trusted. Rows of earlier versions have only the digest of all parts together. */
export const migration0029 = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table trusted_configurations add column parts jsonb`.execute(database)
  },
}
