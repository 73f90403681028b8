import { type Kysely, sql } from 'kysely'
import type { PastEffort, PastEntries, RunHistory } from '../../../domain/forecast/run-history.ts'
import type { Database } from './database.ts'

/** Adds up what the newest runs did. Visits that were taken from another run were not done anew. */
export async function readRunHistory(database: Kysely<Database>, limit: number): Promise<RunHistory> {
  const settled = sql`
    with recent as (select id, job_id, playbook->>'name' as playbook from runs order by id desc limit ${limit}),
    settled as (
      select visits.id, visits.run_id, visits.ordinal, visits.stage, visits.state->>'outcome' as outcome,
        recent.playbook, recent.job_id
      from visits join recent on recent.id = visits.run_id
      where visits.taken is null and visits.state->>'type' = 'settled')`
  const [runs, entries, efforts, checks] = await Promise.all([
    sql<RunHistory['runs'][number]>`${settled}
      select playbook, count(distinct run_id)::int as count from settled group by 1 order by 1`.execute(
      database,
    ),
    sql<PastEntries>`${settled}, entries as (
      select playbook, stage, array_agg(outcome order by outcome) as outcomes
      from settled group by run_id, ordinal, playbook, stage)
      select playbook, stage, outcomes, count(*)::int as count from entries
      group by 1, 2, 3 order by 1, 2, 3`.execute(database),
    sql<PastEffort>`${settled}, work as (
      select attempts.visit_id, attempts.role, coalesce(attempts.admitted_as, attempts.role) as admitted_as,
        attempts.agent->>'name' as agent, attempts.number, ${COST} as cost, ${TIME} as time
      from settled join attempts on attempts.visit_id = settled.id
      join sessions on sessions.job_id = settled.job_id and sessions.purpose->>'attemptId' = attempts.id),
    done as (
      select visit_id, sum(cost) as cost, sum(time) as time, (array_agg(role order by number desc))[1] as role,
        (array_agg(admitted_as order by number desc))[1] as admitted_as,
        (array_agg(agent order by number desc))[1] as agent
      from work group by visit_id having sum(time) is not null or sum(cost) > 0)
    select role, admitted_as as "admittedAs", agent, count(*)::int as visits, coalesce(sum(time), 0) as "durationMs",
      count(*) filter (where cost > 0)::int as "pricedVisits", sum(cost) as "costUsd"
    from done group by 1, 2, 3 order by 1, 2, 3`.execute(database),
    sql<RunHistory['checks']>`${settled}
      select count(distinct settled.id)::int as visits, coalesce(sum(${TIME}), 0) as "durationMs"
      from settled join sessions
        on sessions.job_id = settled.job_id and sessions.purpose->>'visitId' = settled.id
      where sessions.started_at is not null`.execute(database),
  ])
  return {
    runs: runs.rows,
    entries: entries.rows,
    efforts: efforts.rows,
    checks: checks.rows[0] ?? { visits: 0, durationMs: 0 },
  }
}

/** Without a price, a program reports none or zero. A program that never started took no time. */
const COST = sql`coalesce((sessions.conversation->'usage'->>'costUsd')::float8, 0)`
const TIME = sql`(extract(epoch from coalesce(sessions.ended_at, now()) - sessions.started_at) * 1000)::float8`
