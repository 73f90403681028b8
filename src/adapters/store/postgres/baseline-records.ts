import { sql } from 'kysely'
import type { Baseline } from '../../../domain/baseline/baseline.ts'
import type { BaselineId } from '../../../domain/id.ts'
import type { BaselineRecords } from '../../../ports/store/baseline-records.ts'
import type { Change } from '../../../ports/store/change.ts'
import type { Database } from './database.ts'
import { findRow, json, listRows, type Scope, saveRow, withoutNulls } from './scope.ts'

export function createBaselineRecords(scope: Scope): BaselineRecords {
  const { database } = scope
  const select = () => database.selectFrom('baselines').selectAll().orderBy('id')
  return {
    async ensure(baseline, change) {
      const inserted = await database
        .insertInto('baselines')
        .values(columnsOf(baseline))
        .onConflict((conflict) =>
          conflict
            .columns(['projectId', 'digest'])
            // Literals, because PostgreSQL recognises the partial index only by them. With parameters, a prepared
            // statement fails as soon as it gets a generic plan.
            .where('status', 'in', [sql.lit('checking'), sql.lit('passed')])
            // An update without effect makes PostgreSQL return the existing row, and locks it.
            .doUpdateSet({ digest: baseline.digest }),
        )
        .returningAll()
        .executeTakeFirstOrThrow()
      if (inserted.id === baseline.id) scope.note(change)
      return toBaseline(inserted)
    },
    save: (baseline, change) => saveRow(scope, 'baseline', baseline, columnsOf(baseline), change),
    find: (id) => findRow(select().where('id', '=', id), toBaseline),
    async findMany(ids) {
      return ids.length === 0 ? [] : (await select().where('id', 'in', ids).execute()).map(toBaseline)
    },
    listUnused: (before) => listUnused(scope, before),
    remove: (id, change) => removeBaseline(scope, id, change),
    listOpen: () => listRows(select().where('status', '=', 'checking'), toBaseline),
  }
}

type Unused = { readonly id: BaselineId; readonly bytes: number }

async function listUnused({ database }: Scope, before: Date): Promise<readonly Unused[]> {
  const unused = await sql<Unused>`
    select id, coalesce((
      select sum(pg_column_size(events.*)) from events join sessions on events.stream_id = sessions.id
      where sessions.purpose->>'baselineId' = baselines.id), 0)::float8 as bytes
    from baselines where status <> 'checking' and ended_at < ${before}
      and not exists (select from jobs where base->>'baselineId' = baselines.id) order by id`.execute(
    database,
  )
  return unused.rows
}

async function removeBaseline(scope: Scope, id: BaselineId, change: Change): Promise<boolean> {
  const { database } = scope
  // A job that is just starting may be taking this one over. With the lock, the next statement sees that job.
  await sql`select from baselines where id = ${id} for update`.execute(database)
  const used = await sql`select from jobs where base->>'baselineId' = ${id} limit 1`.execute(database)
  if (used.rows.length > 0) return false
  const own = sql`select id from sessions where purpose->>'baselineId' = ${id}`
  await sql`delete from events where stream_id in (${own})`.execute(database)
  await sql`delete from streams where id in (${own})`.execute(database)
  await sql`delete from session_inputs where session_id in (${own})`.execute(database)
  await sql`delete from sessions where purpose->>'baselineId' = ${id}`.execute(database)
  await sql`delete from baselines where id = ${id}`.execute(database)
  scope.note(change)
  return true
}

function toBaseline(row: Omit<Database['baselines'], 'status'> & { status: string }): Baseline {
  const { status: _, ...fields } = row
  return withoutNulls(fields)
}

function columnsOf(baseline: Baseline) {
  return {
    ...baseline,
    checks: json(baseline.checks),
    setup: json(baseline.setup),
    copy: json(baseline.copy),
    sandbox: json(baseline.sandbox),
    state: json(baseline.state),
    results: json(baseline.results),
    endedAt: baseline.endedAt ?? null,
  }
}
