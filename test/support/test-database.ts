import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openEmbeddedPostgres } from '../../src/daemon/postgres/open-embedded-postgres.ts'
import type { PostgresConnection } from '../../src/daemon/postgres/postgres-server.ts'
import { silentLog } from './silent-log.ts'
import { temporaryDirectory } from './temporary-directory.ts'

export type TestDatabases = AsyncDisposable & {
  /** An empty database of its own. */
  create(): Promise<PostgresConnection>
}

/** A real PostgreSQL for one test file. */
export async function openTestDatabases(): Promise<TestDatabases> {
  const home = await temporaryDirectory('muster-pg')
  const opened = await openEmbeddedPostgres({ log: silentLog }, { home: home.path })
  if (!opened.ok) throw new Error(`no test database: ${JSON.stringify(opened.failure)}`)
  const server = opened.value
  return {
    async create() {
      const name = `test_${randomBytes(6).toString('hex')}`
      const client = new pg.Client({ ...server.connection })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      return { ...server.connection, database: name } as PostgresConnection
    },
    async [Symbol.asyncDispose]() {
      await server.stop()
      await home[Symbol.asyncDispose]()
    },
  }
}
