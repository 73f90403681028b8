import { type Kysely, sql } from 'kysely'

/** An attempt's purpose becomes one tagged value. A session's purpose names a check's command and personal sessions. */
export const migration0006 = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `alter table attempts add column purpose jsonb`,
  `update attempts set purpose = case
    when task_id is null then jsonb_build_object('type', 'discovery', 'cycleId', cycle_id)
    when role = 'reviewer' then jsonb_build_object('type', 'review', 'taskId', task_id)
    else jsonb_build_object('type', 'task', 'taskId', task_id) end`,
  `alter table attempts alter column purpose set not null, drop column cycle_id, drop column task_id`,
  `alter table attempts
    add column cycle_id text generated always as (purpose->>'cycleId') stored references cycles,
    add column task_id text generated always as (purpose->>'taskId') stored references tasks`,
  `create unique index attempts_live_task on attempts (task_id)
    where task_id is not null and status <> 'settled'`,
  `create unique index attempts_live_discovery on attempts (cycle_id)
    where cycle_id is not null and status <> 'settled'`,
  `create unique index attempts_fence on attempts (task_id, role, number) where task_id is not null`,
  `create index attempts_cycle on attempts (cycle_id) where cycle_id is not null`,

  `update sessions set purpose = purpose || '{"type":"personal"}' where purpose->>'type' = 'standing'`,
  `update sessions set purpose = purpose || jsonb_build_object('command', agent_name)
    where purpose->>'type' = 'check'`,
]
