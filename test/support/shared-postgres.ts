import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import readline from 'node:readline'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { createPgBossQueue } from '../../src/adapters/queue/pg-boss/pg-boss-queue.ts'
import { migrate } from '../../src/adapters/store/postgres/migrate.ts'
import { openDatabase } from '../../src/adapters/store/postgres/open-database.ts'
import type { PostgresConnection } from '../../src/daemon/postgres/postgres-server.ts'
import { silentLog } from './silent-log.ts'

/** Every test database is a copy of this one, which has the schema already. */
export const TEMPLATE_DATABASE = 'muster_template'

const SUPERVISOR = resolve(import.meta.dirname, 'postgres-supervisor.ts')

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgres: PostgresConnection
  }
}

/** Starts one PostgreSQL for the whole test run. Each test file creates its own databases in it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Detached, so that Ctrl-C does not kill the supervisor before it has stopped PostgreSQL.
  const supervisor = spawn(process.execPath, [SUPERVISOR], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  const exited = once(supervisor, 'exit')
  const [line] = await Promise.race([
    once(readline.createInterface({ input: supervisor.stdout }), 'line'),
    exited.then(() => Promise.reject(new Error('PostgreSQL for the tests did not start'))),
  ])
  const connection = JSON.parse(String(line)) as PostgresConnection
  await createTemplate(connection)
  project.provide('postgres', connection)
  return async () => {
    supervisor.stdin.end()
    await exited
  }
}

async function createTemplate(connection: PostgresConnection): Promise<void> {
  const client = new pg.Client({ ...connection })
  await client.connect()
  await client.query(`create database ${TEMPLATE_DATABASE}`)
  await client.end()
  const database = openDatabase({ ...connection, database: TEMPLATE_DATABASE }, () => undefined)
  const migrated = await migrate(database)
  await database.destroy()
  if (!migrated.ok) throw new Error(`no schema: ${JSON.stringify(migrated.failure)}`)
  const queue = createPgBossQueue({ log: silentLog }, { ...connection, database: TEMPLATE_DATABASE })
  await queue.start(() => Promise.resolve())
  await queue.stop()
}
