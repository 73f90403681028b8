import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { AuditRow } from '../../../domain/audit/audit-row.ts'
import type { AuditChain } from '../../../ports/audit-chain.ts'
import type { Database } from './database.ts'

/** How many rows the database hashes in one query. */
export const PAGE_ROWS = 10_000

type DigestedPage = { readonly digest: string | null; readonly last: number | null }

/** The digest of all rows up to this one, page by page. */
export async function digestRows(database: Kysely<Database>, upTo: number): Promise<string> {
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

export async function listRows(
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
