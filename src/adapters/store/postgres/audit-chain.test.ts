import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../../../test/support/test-database.ts'
import { NO_AUDIT } from '../../../domain/audit/audit-heads.ts'
import type { AuditChain } from '../../../ports/audit-chain.ts'
import { createAuditChain } from './audit-chain.ts'
import type { Database } from './database.ts'
import { openDatabase } from './open-database.ts'

let database: Kysely<Database>
let chain: AuditChain

beforeEach(async () => {
  database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  chain = createAuditChain(database)
  await append(10)
})
afterEach(() => database.destroy())

async function append(count: number): Promise<void> {
  const entries = Array.from({ length: count }, (_, number) => ({
    actor: 'person',
    action: 'job-pause',
    subject: `job ${number}`,
    detail: JSON.stringify({ number, text: 'ünï\ncode' }),
  }))
  await sql`select append_audit(${JSON.stringify(entries)}::jsonb)`.execute(database)
}

const breaksOf = async (remembered = [NO_AUDIT]) => (await chain.check({ from: NO_AUDIT, remembered })).breaks

describe('the audit chain', () => {
  it('is intact after rows are appended', async () => {
    const head = await chain.head()
    expect(head.seq).toBe(10)
    expect(await chain.check({ from: NO_AUDIT, remembered: [head] })).toEqual({ head, breaks: [] })
  })

  it('is checked only after the given row', async () => {
    const from = await chain.head()
    await append(5)
    await sql`update audit set actor = 'engine' where seq = 4`.execute(database)
    expect((await chain.check({ from, remembered: [] })).breaks).toEqual([])
  })

  it('reports every row that was changed', async () => {
    await sql`update audit set actor = 'engine' where seq in (4, 10)`.execute(database)
    expect(await breaksOf()).toEqual([
      { type: 'row-changed', seq: 4 },
      { type: 'row-changed', seq: 10 },
    ])
  })

  it('reports rows that were removed from the middle and from the end', async () => {
    await sql`delete from audit where seq in (3, 4, 10)`.execute(database)
    expect(await breaksOf()).toEqual([
      { type: 'row-replaced', seq: 10 },
      { type: 'rows-missing', from: 3, to: 4 },
      { type: 'rows-missing', from: 10, to: 10 },
    ])
  })

  it('reports a tail that was cut cleanly, by the remembered head', async () => {
    const before = await chain.head()
    await sql`delete from audit where seq > 7`.execute(database)
    await sql`update audit_head set seq = 7, hash = (select hash from audit where seq = 7)`.execute(database)
    expect(await breaksOf()).toEqual([])
    expect(await breaksOf([before])).toEqual([{ type: 'tail-cut', from: 8, to: 10 }])
    await append(5)
    expect(await breaksOf([before])).toEqual([{ type: 'row-replaced', seq: 10 }])
  })

  it('does not search through row numbers that do not exist', async () => {
    await sql`update audit_head set seq = 9007199254740000`.execute(database)
    expect(await breaksOf()).toContainEqual({ type: 'rows-missing', from: 11, to: 9007199254740000 })
  })

  it('has a digest that changes with any row', async () => {
    const before = await chain.digest(10)
    await append(1)
    expect(await chain.digest(10)).toBe(before)
    await sql`update audit set subject = 'other' where seq = 2`.execute(database)
    expect(await chain.digest(10)).not.toBe(before)
  })

  it('lists the newest rows, and the rows after a number', async () => {
    expect((await chain.list({ limit: 2 })).map(({ seq }) => seq)).toEqual([9, 10])
    const [third] = await chain.list({ after: 2, limit: 1 })
    expect(third).toMatchObject({
      seq: 3,
      actor: 'person',
      subject: 'job 2',
      detail: { number: 2, text: 'ünï\ncode' },
    })
  })
})
