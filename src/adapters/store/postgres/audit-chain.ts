import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { type AuditHead, NO_AUDIT } from '../../../domain/audit/audit-heads.ts'
import type { AuditRow } from '../../../domain/audit/audit-row.ts'
import type { AuditChain } from '../../../ports/audit-chain.ts'
import type { Database } from './database.ts'
import { PAGE_ROWS, verifyAuditRows } from './verify-audit-rows.ts'

export function createAuditChain(database: Kysely<Database>): AuditChain {
  return {
    head: () => readHead(database),
    check: async (range) => verifyAuditRows(database, await readHead(database), range),
    digest: (upTo) => digestRows(database, upTo),
    list: (query) => listRows(database, query),
  }
}

async function readHead(database: Kysely<Database>): Promise<AuditHead> {
  const head = await sql<AuditHead>`select seq, hash from audit_head where id = 1`.execute(database)
  return head.rows[0] ?? NO_AUDIT
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
