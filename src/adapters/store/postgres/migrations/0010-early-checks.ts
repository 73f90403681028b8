import { type Kysely, sql } from 'kysely'

/** Adds the list of suspects to checks that were stored before several suspects were possible. */
export const migration0010 = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql
      .raw(`update candidates set state = (state - 'isRepeat') || jsonb_build_object(
        'suspects', case when state->>'isRepeat' = 'true' then jsonb_build_array(state->'checkIndex') else '[]' end,
        'lost', coalesce(state->'lost', '0'))
        where status = 'checking' and state->'suspects' is null`)
      .execute(database)
  },
}
