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
      const known = new Map<string, number>()
      for (let length = LEAST_SHORT_ID; length < RANDOM_DIGITS; length += 1) {
        const open = NAMED_KINDS.filter((kind) => !known.has(kind))
        if (open.length === 0) break
        const { rows } = await sql<{ kind: string; isUnique: boolean }>`${sql.join(
          open.map((kind) => uniqueness(kind, length)),
          sql` union all `,
        )}`.execute(database)
        for (const { kind, isUnique } of rows) if (isUnique) known.set(kind, length)
      }
      return Object.fromEntries(
        NAMED_KINDS.map((kind) => [kind, known.get(kind) ?? RANDOM_DIGITS]),
      ) as IdLengths
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

function uniqueness(kind: NamedKind, length: number): RawBuilder<unknown> {
  const short = sql`left(${randomPartOf(kind)}, ${length}::int)`
  return sql`select ${kind}::text as kind, count(*) = count(distinct ${short}) as is_unique
             from ${sql.raw(TABLES[kind])}`
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
