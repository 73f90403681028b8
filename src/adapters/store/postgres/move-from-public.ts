import { type Kysely, sql } from 'kysely'
import type { Database } from './database.ts'
import { SCHEMA } from './fence.ts'

/** Everything that versions without a schema of their own created in `public`. */
const TABLES = [
  'projects',
  'jobs',
  'cycles',
  'tasks',
  'attempts',
  'sessions',
  'session_inputs',
  'landings',
  'streams',
  'events',
  'approvals',
  'approval_rules',
  'message_bodies',
  'messages',
  'audit_head',
  'audit',
  'candidates',
  'documents',
  'trusted_configurations',
  'baselines',
  'deletions',
  'pinned_playbooks',
  'runs',
  'visits',
  'kysely_migration',
  'kysely_migration_lock',
]

/** Moves the tables of an earlier version into Muster's schema. An application's tables in `public` stay there. */
export async function moveFromPublic(database: Kysely<Database>): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const own = await sql<{ name: string | null }>`select to_regnamespace(${SCHEMA}) as name`.execute(
      transaction,
    )
    // A role that may not create schemas can use one that was made for it.
    if (own.rows[0]?.name === null) await sql.raw(`create schema ${SCHEMA}`).execute(transaction)
    const found = await sql<{
      name: string | null
    }>`select to_regclass('public.kysely_migration') as name`.execute(transaction)
    if (found.rows[0]?.name === null) return
    const spine = await sql`select from public.kysely_migration where name = '0001-spine'`.execute(
      transaction,
    )
    if (spine.rows.length === 0) return
    for (const table of TABLES) {
      await sql.raw(`alter table if exists public.${table} set schema ${SCHEMA}`).execute(transaction)
    }
    await sql.raw(`alter function public.append_audit(jsonb) set schema ${SCHEMA}`).execute(transaction)
  })
}
