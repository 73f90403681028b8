import { type Kysely, sql } from 'kysely'

/**
 * The attempts of one kind at a task are numbered, and only one of them runs at a time. What an attempt is for decides
 * its kind; the name of its role doesn't.
 */
export const migration0020 = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const OF_TASK = `purpose->>'type' in ('task', 'review')`

const STATEMENTS = [
  `drop index attempts_live_task`,
  `drop index attempts_fence`,
  `create unique index attempts_live_task on attempts (task_id) where ${OF_TASK} and status <> 'settled'`,
  `create unique index attempts_fence on attempts (task_id, (purpose->>'type'), number) where ${OF_TASK}`,
  `create index attempts_task on attempts (task_id) where task_id is not null`,
]
