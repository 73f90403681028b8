import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import {
  type AuditBreak,
  type AuditHead,
  compareHeads,
  NO_AUDIT,
  SHOWN_BREAKS,
} from '../../../domain/audit/audit-check.ts'
import type { AuditRow } from '../../../domain/audit/audit-row.ts'
import type { AuditChain, AuditFindings, AuditRange } from '../../../ports/audit-chain.ts'
import type { Database } from './database.ts'

const PAGE_ROWS = 10_000

export function createAuditChain(database: Kysely<Database>): AuditChain {
  return {
    head: () => readHead(database),
    check: (range) => checkRows(database, range),
    digest: (upTo) => digestRows(database, upTo),
    list: (query) => listRows(database, query),
  }
}

async function readHead(database: Kysely<Database>): Promise<AuditHead> {
  const head = await sql<AuditHead>`select seq, hash from audit_head where id = 1`.execute(database)
  return head.rows[0] ?? NO_AUDIT
}

async function checkRows(
  database: Kysely<Database>,
  { from, remembered }: AuditRange,
): Promise<AuditFindings> {
  const head = await readHead(database)
  const breaks: AuditBreak[] = []
  let last = from
  while (last.seq < head.seq && breaks.length < SHOWN_BREAKS) {
    const page = await checkPage(database, last, head.seq)
    breaks.push(...page.breaks)
    if (page.last === undefined) {
      breaks.push({ type: 'rows-missing', from: last.seq + 1, to: head.seq })
      break
    }
    last = page.last
  }
  const heads = [...remembered, from, head]
  const compared = compareHeads(head, heads, await readHashes(database, heads))
  return { head, breaks: [...compared, ...breaks].slice(0, SHOWN_BREAKS) }
}

type Checked = {
  readonly seq: number
  readonly hash: string
  readonly before: number
  readonly isRight: boolean
  readonly isLast: boolean
}
type CheckedPage = { readonly breaks: readonly AuditBreak[]; readonly last: AuditHead | undefined }

/** The database recomputes the hashes of one page and returns only the rows that break the chain, and the last one. */
async function checkPage(database: Kysely<Database>, from: AuditHead, upTo: number): Promise<CheckedPage> {
  const checked = await sql<Checked>`
    with page as (
      select * from audit where seq > ${from.seq} and seq <= ${upTo} order by seq limit ${PAGE_ROWS}
    ), linked as (
      select seq, hash, lag(seq, 1, ${from.seq}::bigint) over w as before,
        hash = encode(sha256(convert_to(concat_ws(chr(10), lag(hash, 1, ${from.hash}::text) over w, seq,
          extract(epoch from at)::text, actor, action, subject, detail), 'UTF8')), 'hex') as is_right,
        seq = max(seq) over () as is_last
      from page window w as (order by seq)
    )
    (select * from linked where before <> seq - 1 or not is_right order by seq limit ${SHOWN_BREAKS})
    union (select * from linked where is_last) order by seq`.execute(database)
  const last = checked.rows.find(({ isLast }) => isLast)
  return { breaks: checked.rows.flatMap(breaksOf), last: last && { seq: last.seq, hash: last.hash } }
}

/** After a gap, the hash that the row continues is unknown, so only the gap is a finding. */
function breaksOf({ seq, before, isRight }: Checked): readonly AuditBreak[] {
  if (before !== seq - 1) return [{ type: 'rows-missing', from: before + 1, to: seq - 1 }]
  return isRight ? [] : [{ type: 'row-changed', seq }]
}

async function readHashes(
  database: Kysely<Database>,
  heads: readonly AuditHead[],
): Promise<ReadonlyMap<number, string>> {
  const found = await sql<AuditHead>`
    select seq, hash from audit where seq = any(${heads.map(({ seq }) => seq)}::bigint[])`.execute(database)
  return new Map(found.rows.map(({ seq, hash }) => [seq, hash]))
}

type DigestedPage = { readonly digest: string | null; readonly last: number | null }

async function digestRows(database: Kysely<Database>, upTo: number): Promise<string> {
  let digest = ''
  for (let after = 0; ; ) {
    const page = await sql<DigestedPage>`
      select max(seq) as last, encode(sha256(convert_to(string_agg(concat_ws(chr(10), seq,
        extract(epoch from at)::text, actor, action, subject, detail, hash), chr(10) order by seq), 'UTF8')), 'hex')
        as digest
      from (select * from audit where seq > ${after} and seq <= ${upTo} order by seq limit ${PAGE_ROWS}) as page
      `.execute(database)
    const [found] = page.rows
    if (found === undefined || found.last === null) return digest
    digest = createHash('sha256').update(`${digest}\n${found.digest}`).digest('hex')
    after = found.last
  }
}

type StoredRow = Omit<AuditRow, 'detail'> & { readonly detail: string }

async function listRows(
  database: Kysely<Database>,
  { after, limit }: Parameters<AuditChain['list']>[0],
): Promise<readonly AuditRow[]> {
  const columns = sql`seq, at, actor, action, subject, detail`
  const rows =
    after === undefined
      ? await sql<StoredRow>`select ${columns} from audit order by seq desc limit ${limit}`.execute(database)
      : await sql<StoredRow>`
          select ${columns} from audit where seq > ${after} order by seq limit ${limit}`.execute(database)
  const oldestFirst = after === undefined ? rows.rows.toReversed() : rows.rows
  return oldestFirst.map((row) => ({ ...row, detail: readDetail(row.detail) }))
}

/** A row that was changed behind our back may contain anything. */
function readDetail(text: string): AuditRow['detail'] {
  try {
    const detail: unknown = JSON.parse(text)
    return typeof detail === 'object' && detail !== null ? { ...detail } : { text }
  } catch {
    return { text }
  }
}
