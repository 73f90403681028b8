import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { Database } from './database.ts'
import { SCHEMA } from './fence.ts'
import { migration0001 } from './migrations/0001-spine.ts'
import { migration0002 } from './migrations/0002-conversations.ts'
import { migration0003 } from './migrations/0003-messages.ts'
import { migration0004 } from './migrations/0004-merge-queue.ts'
import { migration0005 } from './migrations/0005-cycle-blockers.ts'
import { migration0006 } from './migrations/0006-purposes.ts'
import { migration0007 } from './migrations/0007-admission.ts'
import { migration0008 } from './migrations/0008-candidate-purpose.ts'
import { migration0009 } from './migrations/0009-plain-names.ts'
import { migration0010 } from './migrations/0010-early-checks.ts'
import { migration0011 } from './migrations/0011-owner.ts'
import { migration0014 } from './migrations/0014-work-changes.ts'
import { migration0015 } from './migrations/0015-variable-names.ts'
import { migration0016 } from './migrations/0016-trust.ts'
import { migration0017 } from './migrations/0017-baselines.ts'
import { migration0018 } from './migrations/0018-approval-actions.ts'
import { migration0019 } from './migrations/0019-deletions.ts'
import { migration0020 } from './migrations/0020-attempt-fences.ts'
import { migration0021 } from './migrations/0021-runs.ts'
import { migration0022 } from './migrations/0022-task-playbook.ts'
import { migration0023 } from './migrations/0023-run-clocks.ts'
import { migration0024 } from './migrations/0024-troubles.ts'
import { migration0025 } from './migrations/0025-threads.ts'
import { migration0026 } from './migrations/0026-task-playbooks.ts'
import { migration0027 } from './migrations/0027-forks.ts'
import { migration0028 } from './migrations/0028-reviews.ts'
import { migration0029 } from './migrations/0029-trusted-parts.ts'
import { moveFromPublic } from './move-from-public.ts'

const MIGRATIONS = {
  '0001-spine': migration0001,
  '0002-conversations': migration0002,
  '0003-messages': migration0003,
  '0004-merge-queue': migration0004,
  '0005-cycle-blockers': migration0005,
  '0006-purposes': migration0006,
  '0007-admission': migration0007,
  '0008-candidate-purpose': migration0008,
  '0009-plain-names': migration0009,
  '0010-early-checks': migration0010,
  '0011-owner': migration0011,
  '0014-work-changes': migration0014,
  '0015-variable-names': migration0015,
  '0016-trust': migration0016,
  '0017-baselines': migration0017,
  '0018-approval-actions': migration0018,
  '0019-deletions': migration0019,
  '0020-attempt-fences': migration0020,
  '0021-runs': migration0021,
  '0022-task-playbook': migration0022,
  '0023-run-clocks': migration0023,
  '0024-troubles': migration0024,
  '0025-threads': migration0025,
  '0026-task-playbooks': migration0026,
  '0027-forks': migration0027,
  '0028-reviews': migration0028,
  '0029-trusted-parts': migration0029,
}

export type MigrationFailure =
  | { readonly type: 'schema-newer'; readonly found: string; readonly known: string }
  | { readonly type: 'migration-failed'; readonly migration: string; readonly problem: string }

type SchemaNewer = Extract<MigrationFailure, { readonly type: 'schema-newer' }>

/** Applies all new migrations or none. Refuses a database that a newer version of Muster has used. */
export async function migrate(database: Kysely<Database>): Promise<Result<void, MigrationFailure>> {
  try {
    await moveFromPublic(database)
  } catch (error) {
    return failure({ type: 'migration-failed', migration: 'of the schema', problem: String(error) })
  }
  const newest = await newestApplied(database)
  if (newest !== undefined && !(newest in MIGRATIONS)) return failure(schemaNewer(newest))
  const { error, results } = await createMigrator(database).migrateToLatest()
  if (error === undefined) return success(undefined)
  const migration = results?.find((result) => result.status === 'Error')?.migrationName ?? 'unknown'
  return failure({ type: 'migration-failed', migration, problem: String(error) })
}

/** Makes the tables of an empty database as they were after this migration. */
export async function migrateTo(
  database: Kysely<Database>,
  schema: string,
): Promise<Result<void, SchemaNewer>> {
  if (!(schema in MIGRATIONS)) return failure(schemaNewer(schema))
  await moveFromPublic(database)
  const { error } = await createMigrator(database).migrateTo(schema)
  if (error !== undefined) throw error
  return success(undefined)
}

function schemaNewer(found: string): SchemaNewer {
  return { type: 'schema-newer', found, known: Object.keys(MIGRATIONS).at(-1) ?? 'none' }
}

function createMigrator(database: Kysely<Database>): Migrator {
  return new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve(MIGRATIONS) },
    migrationTableSchema: SCHEMA,
    // Migrations written at the same time may be released in another order than that of their numbers.
    allowUnorderedMigrations: true,
  })
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
