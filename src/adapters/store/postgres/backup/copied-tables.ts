/**
 * The tables of a backup, in an order in which each row comes after the rows it refers to, with the order of the rows in
 * each. A test fails if a table is neither here nor in `LEFT_OUT`.
 */
export const COPIED_TABLES = {
  projects: 'id',
  baselines: 'id',
  pinned_playbooks: 'hash',
  jobs: 'id',
  cycles: 'id',
  tasks: 'id',
  attempts: 'id',
  sessions: 'id',
  session_inputs: 'id',
  runs: 'id',
  visits: 'run_id, ordinal, branch',
  landings: 'id',
  candidates: 'id',
  documents: 'job_id, kind, number',
  approvals: 'id',
  approval_rules: 'id',
  message_bodies: 'id',
  messages: 'position',
  streams: 'id',
  events: 'transaction_id, position',
  trusted_configurations: 'path',
  deletions: 'job_id',
  audit: 'seq',
  audit_head: 'id',
} as const satisfies Readonly<Record<string, string>>

export type CopiedTable = keyof typeof COPIED_TABLES

/** The migrator writes its own tables, and a restored database belongs to another home. */
export const LEFT_OUT: readonly string[] = ['kysely_migration', 'kysely_migration_lock', 'owner']

/**
 * Columns that the database fills in again. The numbers of transactions belong to one server: events of another one
 * would seem to come from the future.
 */
export const FILLED_AGAIN: Readonly<Partial<Record<CopiedTable, readonly string[]>>> = {
  events: ['transaction_id', 'position'],
}

export function isCopied(table: string): table is CopiedTable {
  return table in COPIED_TABLES
}
