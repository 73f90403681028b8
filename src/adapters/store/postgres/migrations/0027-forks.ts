import { type Kysely, sql } from 'kysely'

/** The run that a run continues from, and the visits that it took from there. */
export const migration0027 = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`alter table runs add column origin jsonb`.execute(database)
    await sql`alter table visits add column taken jsonb`.execute(database)
    // The work of an attempt lands once for each task: a fork may land what its origin has landed already.
    await sql`alter table landings drop constraint landings_attempt_id_key`.execute(database)
    await sql`create unique index landings_fence on landings (attempt_id, task_id)`.execute(database)
    await sql`drop index if exists landings_attempt`.execute(database)
    await sql`create index runs_origin on runs ((origin->>'runId')) where origin is not null`.execute(
      database,
    )
    await sql`create index jobs_origin on jobs ((plan->'approach'->'origin'->>'runId'))
      where plan->'approach'->'origin' is not null`.execute(database)
  },
}
