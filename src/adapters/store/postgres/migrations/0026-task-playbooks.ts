import { type Kysely, sql } from 'kysely'

/** A task names the exact playbook that works on it, and its inputs. Until now, only the job's own plan did. */
export const migration0026 = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `alter table tasks rename column playbook to playbook_name`,
  `alter table tasks add column playbook jsonb`,
  `update tasks set playbook = jsonb_build_object(
      'name', playbook_name,
      'hash', jobs.plan->'approach'->'playbook'->'hash',
      'inputs', coalesce(jobs.plan->'approach'->'inputs', '{}'))
    from jobs where jobs.id = tasks.job_id and playbook_name is not null`,
  `alter table tasks drop column playbook_name`,
]
