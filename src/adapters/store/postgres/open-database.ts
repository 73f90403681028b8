import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database } from './database.ts'
import { type Fence, fencedOptions } from './fence.ts'
import { PreparingClient, type PreparingOptions } from './preparing-client.ts'

const INT8 = 20

/**
 * Opens the connection pool. A connection that breaks or can't be opened is reported, replaced and isn't fatal. With a
 * fence, every connection and every transaction first checks that this daemon owns the database.
 */
export function openDatabase(
  connection: pg.PoolConfig,
  onError: (error: Error) => void,
  fence?: Fence,
): Kysely<Database> {
  const pool = new pg.Pool({
    max: 16,
    connectionTimeoutMillis: 10_000,
    application_name: 'muster',
    ...connection,
    ...fencedOptions(fence),
    ...({ onUnreachable: onError } satisfies Pick<PreparingOptions, 'onUnreachable'>),
    Client: PreparingClient as unknown as new () => pg.ClientBase,
    // Sequences and offsets stay far below 2^53, so they can be plain numbers, as the domain expects.
    types: {
      getTypeParser: (oid: number, format: 'text') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
    } as never,
  })
  pool.on('error', onError)
  // A connection that breaks during a transaction emits the error only on itself. Without a listener, that is fatal.
  pool.on('connect', (client) => client.on('error', onError))
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}
