import { type Kysely, sql } from 'kysely'

/** What a planner said is in the way is a value of its cycle, and no longer read back from the log. */
export const migration0005 = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `alter table cycles add column blockers text[] not null default '{}'`,
  `update cycles set blockers = array(select jsonb_array_elements_text(found.data->'blockers'))
    from (
      select distinct on (stream_id, cycle) stream_id, cycle, data from events
      where type = 'cycle_tasks_discovered' and jsonb_typeof(data->'blockers') = 'array'
      order by stream_id, cycle, seq desc
    ) as found
    where found.stream_id = cycles.job_id and found.cycle = cycles.number`,
]
