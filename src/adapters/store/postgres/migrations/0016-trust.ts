import { type Kysely, sql } from 'kysely'

/** Which guarded parts of which repository's configuration file the person trusts. */
export const migration0016 = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql
      .raw(`create table trusted_configurations (
        path text primary key, digest text not null, trusted_at timestamptz not null)`)
      .execute(database)
  },
}
