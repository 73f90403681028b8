import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { createPgBossQueue } from '../../src/adapters/queue/pg-boss/pg-boss-queue.ts'
import { openDatabase } from '../../src/adapters/store/postgres/database.ts'
import { migrate } from '../../src/adapters/store/postgres/migrate.ts'
import { openEmbeddedPostgres } from '../../src/daemon/postgres/open-embedded-postgres.ts'
import type { PostgresConnection } from '../../src/daemon/postgres/postgres-server.ts'
import { silentLog } from './silent-log.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** Every test database is a copy of this one, which has the schema already. */
export const TEMPLATE_DATABASE = 'muster_template'

/** Nothing has to survive the machine here, and many test files connect at once. */
const TEST_SETTINGS = 'fsync = off\nmax_connections = 300\n'

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgres: PostgresConnection
  }
}

/** Starts one PostgreSQL for the whole test run. Test files get databases of their own in it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = await temporaryDirectory('muster-pg')
  await (await openPostgres(home.path)).stop()
  await appendFile(join(home.path, 'postgres/data/postgresql.conf'), TEST_SETTINGS)
  const server = await openPostgres(home.path)
  await createTemplate(server.connection)
  project.provide('postgres', server.connection)
  return async () => {
    await server.stop()
    await home[Symbol.asyncDispose]()
  }
}

async function openPostgres(home: string) {
  const opened = await openEmbeddedPostgres({ log: silentLog }, { home })
  if (!opened.ok) throw new Error(`no test database: ${JSON.stringify(opened.failure)}`)
  return opened.value
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
