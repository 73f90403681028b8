import { type RawBuilder, sql } from 'kysely'
import { ID_TIME_DIGITS, idPrefix } from '../../../domain/id.ts'
import { type IdLengths, LEAST_SHORT_ID, NAMED_KINDS, type NamedKind } from '../../../domain/short-id.ts'
import type { NamedRecord, NameRecords } from '../../../ports/store/name-records.ts'
import type { Scope } from './scope.ts'

const TABLES = {
  project: 'projects',
  job: 'jobs',
  task: 'tasks',
  attempt: 'attempts',
  session: 'sessions',
  landing: 'landings',
  run: 'runs',
  approval: 'approvals',
  'approval-rule': 'approval_rules',
  message: 'messages',
} as const satisfies Record<NamedKind, string>

/** The text of a record, and what else people see of it. A title is at the start of a goal. */
const COLUMNS = {
  project: sql`name as text, path as repository_path`,
  job: sql`left(request_document, 10000) as text, repository_path`,
  task: sql`description as text, job_id, cycle_number, number,
            (select repository_path from jobs where jobs.id = job_id) as repository_path`,
  attempt: sql`role as text`,
  session: sql`agent_name || ' (' || role || ')' as text`,
  landing: sql`branch as text`,
  run: sql`playbook->>'name' as text`,
  approval: sql`'' as text`,
  'approval-rule': sql`'' as text`,
  message: sql`subject as text`,
} as const satisfies Record<NamedKind, RawBuilder<unknown>>

/** An id has this many random characters. */
const RANDOM_DIGITS = 11

type Row = {
  readonly id: string
  readonly text: string
  readonly repositoryPath?: string
  readonly jobId?: string
  readonly cycleNumber?: number
  readonly number?: number
}

export function createNameRecords({ database }: Pick<Scope, 'database'>): NameRecords {
  return {
    async lengths() {
      const { rows } = await sql<{ kind: string; length: number }>`${sql.join(
        NAMED_KINDS.map(leastLength),
        sql` union all `,
      )}`.execute(database)
      return Object.fromEntries(rows.map(({ kind, length }) => [kind, length])) as IdLengths
    },
    async find(kind, search, limit) {
      const isShort = startsWith(randomPartOf(kind), search.idPart)
      const { rows } = await sql<Row>`
        select id, ${COLUMNS[kind]} from ${sql.raw(TABLES[kind])}
        where ${isShort} or ${startsWith(sql`substr(id, ${placeAfterPrefix(kind)}::int)`, search.idPart)}
          or ${hasText(kind, search)}
        order by ${isShort} desc, id desc limit ${limit}`.execute(database)
      return rows.map((row) => toNamed(kind, row))
    },
  }
}

/**
 * One character more than any two ids have in common. In sorted order, the ids that have most in common are neighbours,
 * so it is enough to compare each id with the one before it.
 */
function leastLength(kind: NamedKind): RawBuilder<unknown> {
  return sql`
    select ${kind}::text as kind, coalesce(max(shared) + 1, ${LEAST_SHORT_ID}::int) as length
    from (
      select part, lag(part) over (order by part) as previous
      from (select ${randomPartOf(kind)} collate "C" as part from ${sql.raw(TABLES[kind])}) as parts
    ) as neighbours
    join generate_series(${LEAST_SHORT_ID}::int, ${RANDOM_DIGITS - 1}::int) as shared
      on left(part, shared) = left(previous, shared)`
}

/** The first place of a string is 1. */
function placeAfterPrefix(kind: NamedKind): number {
  return idPrefix(kind).length + 2
}

function randomPartOf(kind: NamedKind): RawBuilder<string> {
  return sql`substr(id, ${placeAfterPrefix(kind) + ID_TIME_DIGITS}::int)`
}

function startsWith(column: RawBuilder<string>, start: string | undefined): RawBuilder<boolean> {
  return sql`coalesce(starts_with(${column}, ${start ?? null}::text), false)`
}

function hasText(
  kind: NamedKind,
  { textPart = null }: { readonly textPart?: string | null },
): RawBuilder<boolean> {
  if (kind === 'job') return sql`strpos(lower(request_document), lower(${textPart}::text)) > 0`
  if (kind === 'task') return sql`strpos(lower(description), lower(${textPart}::text)) > 0`
  return sql`${textPart}::text = ''`
}

function toNamed(kind: NamedKind, row: Row): NamedRecord {
  const { id, text, repositoryPath, jobId, cycleNumber, number } = row
  return {
    kind,
    id,
    text,
    ...(repositoryPath === undefined ? {} : { repositoryPath }),
    ...(jobId === undefined || cycleNumber === undefined || number === undefined
      ? {}
      : { task: { jobId, cycleNumber, number } }),
  }
}
