import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Database } from './database.ts'

export type AuditHead = { readonly seq: number; readonly hash: string }

export async function readAuditHead(database: Kysely<Database>): Promise<AuditHead> {
  const head = await sql<AuditHead>`select seq, hash from audit_head where id = 1`.execute(database)
  return head.rows[0] ?? { seq: 0, hash: '0'.repeat(64) }
}

type AuditRow = {
  readonly seq: number
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly detail: string
  readonly hash: string
}

const PAGE = 1000

/** Recomputes the chain from its first row; gives the number of the first row that does not fit, or nothing. */
export async function findBrokenAuditRow(database: Kysely<Database>): Promise<number | undefined> {
  const head = await readAuditHead(database)
  let hash = '0'.repeat(64)
  for (let after = 0; after < head.seq; ) {
    const page = await sql<AuditRow>`
      select seq, extract(epoch from at)::text as at, actor, action, subject, detail, hash
      from audit where seq > ${after} and seq <= ${head.seq} order by seq limit ${PAGE}`.execute(database)
    for (const row of page.rows) {
      const line = [hash, row.seq, row.at, row.actor, row.action, row.subject, row.detail].join('\n')
      hash = createHash('sha256').update(line).digest('hex')
      if (row.seq !== after + 1 || row.hash !== hash) return row.seq
      after = row.seq
    }
    if (page.rows.length === 0) return after + 1
  }
  return hash === head.hash ? undefined : head.seq
}
