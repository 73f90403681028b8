import { type Kysely, sql } from 'kysely'

/** What is left to remove of jobs whose rows were deleted. */
export const migration0019 = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `create table deletions (
    job_id text primary key, project_id text not null references projects, repository_path text not null,
    working_branch text not null, removed_branch text, snapshot text, pins text[] not null, trees text[] not null,
    sessions jsonb not null, created_at timestamptz not null)`,
  `create index attempts_job on attempts (job_id, id)`,
  `create index jobs_ended on jobs (completed_at) where completed_at is not null`,
  // Deleting a row looks for the rows that refer to it.
  `create index landings_attempt on landings (attempt_id)`,
  `create index landings_task on landings (task_id)`,
  `create index tasks_cycle on tasks (cycle_id)`,
  `create index approvals_job on approvals (job_id) where job_id is not null`,
  `create index approvals_attempt on approvals (attempt_id) where attempt_id is not null`,
  `create index approval_rules_approval on approval_rules (approval_id)`,
  `create index session_inputs_session on session_inputs (session_id)`,
  `create index messages_question on messages (in_reply_to) where in_reply_to is not null`,
]
