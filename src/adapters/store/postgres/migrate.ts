import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { Database } from './database.ts'
import { migration0001 } from './migrations/0001-spine.ts'
import { migration0002 } from './migrations/0002-conversations.ts'
import { migration0003 } from './migrations/0003-messages.ts'
import { migration0004 } from './migrations/0004-merge-queue.ts'
import { migration0005 } from './migrations/0005-cycle-blockers.ts'
import { migration0006 } from './migrations/0006-purposes.ts'
import { migration0007 } from './migrations/0007-admission.ts'
import { migration0008 } from './migrations/0008-candidate-purpose.ts'

const MIGRATIONS = {
  '0001-spine': migration0001,
  '0002-conversations': migration0002,
  '0003-messages': migration0003,
  '0004-merge-queue': migration0004,
  '0005-cycle-blockers': migration0005,
  '0006-purposes': migration0006,
  '0007-admission': migration0007,
  '0008-candidate-purpose': migration0008,
}

export type MigrationFailure =
  | { readonly type: 'schema-newer'; readonly found: string; readonly known: string }
  | { readonly type: 'migration-failed'; readonly migration: string; readonly problem: string }

/** Brings the schema up to date, all or nothing; refuses a database that a newer Muster has written. */
export async function migrate(database: Kysely<Database>): Promise<Result<void, MigrationFailure>> {
  const newest = await newestApplied(database)
  const known = Object.keys(MIGRATIONS)
  if (newest !== undefined && !known.includes(newest)) {
    return failure({ type: 'schema-newer', found: newest, known: known.at(-1) ?? 'none' })
  }
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve(MIGRATIONS) },
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) return success(undefined)
  const migration = results?.find((result) => result.status === 'Error')?.migrationName ?? 'unknown'
  return failure({ type: 'migration-failed', migration, problem: String(error) })
}

async function newestApplied(database: Kysely<Database>): Promise<string | undefined> {
  const exists = await sql<{ found: string | null }>`select to_regclass('kysely_migration') as found`.execute(
    database,
  )
  if (exists.rows[0]?.found === null) return undefined
  const applied = await sql<{
    name: string
  }>`select name from kysely_migration order by name desc limit 1`.execute(database)
  return applied.rows[0]?.name
}
