import { type Kysely, sql } from 'kysely'
import { type AuditBreak, SHOWN_BREAKS } from '../../../domain/audit/audit-check.ts'
import { type AuditHead, compareHeads, NO_AUDIT } from '../../../domain/audit/audit-heads.ts'
import type { AuditChain, AuditFindings, AuditRange } from '../../../ports/audit-chain.ts'
import { digestRows, listRows, PAGE_ROWS } from './audit-rows.ts'
import type { Database } from './database.ts'

/**
 * The hash chain of the audit log. The hash of a row is the SHA-256, in hexadecimal, of these values, one per line: the
 * hash of the row before it, its number, its time in seconds since 1970, its actor, its action, its subject and its
 * details. The row before the first one counts as 64 zeros. The table `audit_head` has the number and hash of the last row.
 *
 * The function `append_audit` in the database (migration 0001) computes the hash when a transaction of the store appends
 * a row. This file computes it again to verify the rows.
 */
export function createAuditChain(database: Kysely<Database>): AuditChain {
  return {
    head: () => readHead(database),
    check: async (range) => verifyRows(database, await readHead(database), range),
    digest: (upTo) => digestRows(database, upTo),
    list: (query) => listRows(database, query),
  }
}

async function readHead(database: Kysely<Database>): Promise<AuditHead> {
  const head = await sql<AuditHead>`select seq, hash from audit_head where id = 1`.execute(database)
  return head.rows[0] ?? NO_AUDIT
}

/** Follows the chain from one row to its head, and compares it with the rows that were remembered. */
async function verifyRows(
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
