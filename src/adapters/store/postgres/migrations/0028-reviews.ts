import { type Kysely, sql } from 'kysely'
import { REVIEWED } from './0028-reviewed-playbook.ts'

/**
 * Reviews become runs of a playbook. Open jobs that review everything follow it from now on. What their agents and
 * reviewers are working on is done anew by a run: their sessions are stopped, and their attempts change nothing. Work
 * that is approved still lands.
 */
export const migration0028 = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`
      insert into pinned_playbooks (hash, name, playbook, files)
        select ${hash}, ${playbook.name}, ${JSON.stringify(playbook)}::jsonb, ${JSON.stringify(files)}::jsonb
        where exists (select from jobs where ${OF_MODE})
        on conflict (hash) do nothing`.execute(database)
    await sql`
      update sessions set state = ${JSON.stringify(STOPPING)}::jsonb
        from jobs, attempts
        where ${OF_MODE} and attempts.job_id = jobs.id and attempts.task_id is not null
          and attempts.visit_id is null and attempts.status <> 'settled'
          and sessions.purpose->>'attemptId' = attempts.id and sessions.status <> 'terminated'`.execute(
      database,
    )
    await sql`
      update tasks set playbook = ${JSON.stringify(FOLLOWED)}::jsonb,
          state = '{"type":"pending"}'
        from jobs
        where ${OF_MODE} and tasks.job_id = jobs.id and tasks.playbook is null
          and tasks.state->>'type' in ('pending', 'running', 'review')`.execute(database)
    await sql`
      update jobs set plan = plan || ${JSON.stringify({ reviews: FOLLOWED })}::jsonb where ${OF_MODE}`.execute(
      database,
    )
    await sql`alter table tasks drop column start_from`.execute(database)
  },
}

const { hash, playbook, files } = REVIEWED
const FOLLOWED = { name: playbook.name, hash, inputs: {} }
const STOPPING = {
  type: 'terminating',
  why: { type: 'cancelled', reason: 'this version of Muster starts the task again' },
}

/** Only jobs with a planner have a reviewer. */
const OF_MODE = sql`jobs.plan ? 'reviewer' and jobs.status in ('pending', 'running', 'paused')`
