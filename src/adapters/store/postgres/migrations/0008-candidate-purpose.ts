import { type Kysely, sql } from 'kysely'

/** Candidates get a purpose. */
export const migration0008 = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database)
  },
}

const STATEMENTS = [
  `alter table candidates add column purpose jsonb`,
  // A merge that is being checked during the upgrade counts as a first try.
  `update candidates set purpose = case
    when base is not null then jsonb_build_object('type', 'base', 'commit', base)
    when candidates.branch <> jobs.working_branch then '{"type":"merge","tries":1}'
    else jsonb_build_object('type', 'landings', 'landingIds', to_jsonb(landing_ids)) end
    from jobs where jobs.id = candidates.job_id`,
  `alter table candidates alter column purpose set not null`,
  `alter table candidates drop column landing_ids, drop column base`,
]
