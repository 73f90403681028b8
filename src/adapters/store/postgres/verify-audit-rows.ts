import { type Kysely, sql } from 'kysely'
import { type AuditBreak, SHOWN_BREAKS } from '../../../domain/audit/audit-check.ts'
import { type AuditHead, compareHeads } from '../../../domain/audit/audit-heads.ts'
import type { AuditFindings, AuditRange } from '../../../ports/audit-chain.ts'
import type { Database } from './database.ts'

/** How many rows the database hashes in one query. */
export const PAGE_ROWS = 10_000

/** Follows the chain from one row to its head, and compares it with the rows that were remembered. */
export async function verifyAuditRows(
  database: Kysely<Database>,
  head: AuditHead,
  { from, remembered }: AuditRange,
): Promise<AuditFindings> {
  const breaks: AuditBreak[] = []
  let last = from
  while (last.seq < head.seq && breaks.length < SHOWN_BREAKS) {
    const page = await verifyPage(database, last, head.seq)
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
async function verifyPage(database: Kysely<Database>, from: AuditHead, upTo: number): Promise<CheckedPage> {
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
