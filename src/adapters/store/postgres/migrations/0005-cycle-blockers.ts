import { type Kysely, sql } from 'kysely'

/** The blockers that a planner reports become a column of its cycle, so the log no longer has to be read back. */
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
