import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type { PostgresConnection } from '../../src/daemon/postgres/postgres-server.ts'
import { TEMPLATE_DATABASE } from './shared-postgres.ts'

/** A database of the caller's own, with Muster's schema, in the PostgreSQL of the test run. */
export function createTestDatabase(): Promise<PostgresConnection> {
  return createFrom(TEMPLATE_DATABASE)
}

/** A database without any tables. */
export function createEmptyDatabase(): Promise<PostgresConnection> {
  return createFrom('template0')
}

async function createFrom(template: string): Promise<PostgresConnection> {
  const connection = inject('postgres')
  const database = `test_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ ...connection })
  await client.connect()
  // Copying the template's files takes half the processor time of copying its pages through the log.
  await client.query(`create database ${database} template ${template} strategy file_copy`)
  await client.end()
  return { ...connection, database } as PostgresConnection
}

/** A connection as the address that a daemon takes in `MUSTER_DATABASE_URL`. */
export function urlOf(connection: PostgresConnection): string {
  if ('connectionString' in connection) return connection.connectionString
  const { host, port, user, database } = connection
  return `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
}
