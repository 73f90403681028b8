import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../../test/support/silent-log.ts'
import { type TemporaryDirectory, temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createTestDatabase } from '../../../test/support/test-database.ts'
import { createAuditChain } from '../../adapters/store/postgres/audit-chain.ts'
import type { Database } from '../../adapters/store/postgres/database.ts'
import { openDatabase } from '../../adapters/store/postgres/open-database.ts'
import type { AuditEntry } from '../../domain/audit/audit-entry.ts'
import { createAuditFiles } from './audit-files.ts'
import { AuditKeeper } from './audit-keeper.ts'

let database: Kysely<Database>
let home: TemporaryDirectory
const errors: string[] = []

beforeEach(async () => {
  database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  home = await temporaryDirectory('muster-audit')
  errors.length = 0
  await newKeeper().begin()
  for (let row = 1; row <= 5; row += 1) await append('job-pause')
})
afterEach(async () => {
  await database.destroy()
  await home[Symbol.asyncDispose]()
})

/** A keeper as the next daemon would have it. */
function newKeeper(): AuditKeeper {
  return new AuditKeeper({
    chain: createAuditChain(database),
    files: createAuditFiles(join(home.path, 'audit-head')),
    log: { ...silentLog, error: (_facts, message) => void errors.push(message) },
    note: ({ audit }) => appendEntry(audit),
  })
}

async function appendEntry(entry: AuditEntry): Promise<void> {
  const entries = JSON.stringify([{ ...entry, detail: JSON.stringify(entry.detail) }])
  await sql`select append_audit(${entries}::jsonb)`.execute(database)
}

const append = (action: string) => appendEntry({ actor: 'person', action, subject: 'job_1', detail: {} })
const headFile = () => readFile(join(home.path, 'audit-head'), 'utf8')
const besideFile = () => readFile(join(home.path, 'audit-head.new'), 'utf8')

async function cutTail(to: number): Promise<void> {
  await sql`delete from audit where seq > ${to}`.execute(database)
  await sql`update audit_head set seq = ${to}, hash = (select hash from audit where seq = ${to})`.execute(
    database,
  )
}

describe('the audit keeper', () => {
  it('checks the chain at the start and remembers its head, then each new row', async () => {
    const keeper = newKeeper()
    expect(keeper.check).toEqual({ type: 'checking' })
    await keeper.watch()
    expect(keeper.check).toMatchObject({ type: 'intact', rows: 5 })
    expect(await headFile()).toMatch(/^5 /)
    await append('job-resume')
    await keeper.watch()
    expect(await headFile()).toMatch(/^6 /)
    expect(errors).toEqual([])
  })

  it('finds a tail that was cut while no daemon ran, and keeps the head that shows it', async () => {
    await newKeeper().watch()
    const before = await headFile()
    await cutTail(3)
    const next = newKeeper()
    await next.watch()
    expect(next.check).toMatchObject({ type: 'broken', breaks: [{ type: 'tail-cut', from: 4, to: 5 }] })
    expect(errors).toEqual(['the audit chain is broken'])
    for (const action of ['job-start', 'job-pause', 'job-cancel']) await append(action)
    await next.watch()
    expect(await headFile()).toBe(before)
    expect(await besideFile()).toMatch(/^6 /)

    const later = newKeeper()
    await later.watch()
    expect(later.check).toMatchObject({ type: 'broken', breaks: [{ type: 'row-replaced', seq: 5 }] })
    expect(await headFile()).toBe(before)
  })

  it('finds a tail that is cut while the daemon runs', async () => {
    const keeper = newKeeper()
    await keeper.watch()
    await cutTail(4)
    await keeper.watch()
    expect(keeper.check).toMatchObject({ type: 'broken', breaks: [{ type: 'tail-cut', from: 5, to: 5 }] })
    expect(await headFile()).toMatch(/^5 /)
  })

  it('finds last rows that were deleted while the daemon runs, although the database still counts them', async () => {
    const keeper = newKeeper()
    await keeper.watch()
    await sql`delete from audit where seq > 3`.execute(database)
    await keeper.watch()
    expect(keeper.check).toMatchObject({
      type: 'broken',
      breaks: [
        { type: 'row-replaced', seq: 5 },
        { type: 'rows-missing', from: 4, to: 5 },
      ],
    })
    await keeper.watch()
    expect(errors).toEqual(['the audit chain is broken'])
    expect(await headFile()).toMatch(/^5 /)
  })

  it('finds a remembered head that was deleted, until a person accepts that', async () => {
    await newKeeper().watch()
    await cutTail(3)
    await rm(join(home.path, 'audit-head'))
    for (const keeper of [newKeeper(), newKeeper()]) {
      await keeper.begin()
      await keeper.watch()
      expect(keeper.check).toMatchObject({ type: 'broken', breaks: [{ type: 'head-missing' }] })
    }
    expect(await newKeeper().accept()).toMatchObject({ ok: true, value: { type: 'intact' } })
  })

  it('finds a remembered head that is deleted while the daemon runs', async () => {
    const keeper = newKeeper()
    await keeper.watch()
    await rm(join(home.path, 'audit-head'))
    await keeper.watch()
    expect(keeper.check).toMatchObject({ type: 'broken', breaks: [{ type: 'head-missing' }] })
  })

  it('finds an old row that was changed when it starts and when it is asked', async () => {
    const keeper = newKeeper()
    await keeper.watch()
    await sql`update audit set action = 'job-cancel' where seq = 2`.execute(database)
    await keeper.watch()
    expect(keeper.check.type).toBe('intact')
    expect(await keeper.verify()).toMatchObject({ breaks: [{ type: 'row-changed', seq: 2 }] })
    const next = newKeeper()
    await next.watch()
    expect(next.check).toMatchObject({ breaks: [{ type: 'row-changed', seq: 2 }] })
  })

  it('does not trust a remembered head that cannot be read', async () => {
    await writeFile(join(home.path, 'audit-head'), 'garbage')
    const keeper = newKeeper()
    await keeper.watch()
    expect(keeper.check.type).toBe('broken')
    expect(await headFile()).toBe('garbage')
  })

  it('starts over from what a person accepted, and keeps the evidence', async () => {
    await newKeeper().watch()
    const before = await headFile()
    await cutTail(4)
    await sql`update audit set action = 'job-cancel' where seq = 2`.execute(database)
    const keeper = newKeeper()
    expect(await keeper.accept()).toMatchObject({ ok: true, value: { type: 'intact', rows: 5 } })
    const [row] = await createAuditChain(database).list({ limit: 1 })
    expect(row).toMatchObject({
      action: 'audit-accept',
      detail: { type: 'tail-cut', from: 5, to: 5, others: 1 },
    })
    const [evidence = ''] = (await readdir(home.path)).filter((name) => name.startsWith('audit-head.broken-'))
    expect(await readFile(join(home.path, evidence), 'utf8')).toBe(before)

    await append('job-start')
    const next = newKeeper()
    await next.watch()
    expect(next.check).toMatchObject({ type: 'intact', rows: 6 })
    expect(await next.accept()).toEqual({ ok: false, failure: { type: 'audit-intact' } })
  })

  it('finds accepted rows that change afterwards', async () => {
    const keeper = newKeeper()
    await sql`update audit set action = 'job-cancel' where seq = 2`.execute(database)
    await keeper.accept()
    await sql`update audit set action = 'job-run' where seq = 2`.execute(database)
    expect(await keeper.verify()).toMatchObject({ breaks: [{ type: 'accepted-changed', to: 6 }] })
  })
})
