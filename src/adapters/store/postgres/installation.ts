import pg from 'pg'
import { SCHEMA } from './fence.ts'

/** What a database contains, before anything is changed in it. */
export type Installation =
  /** Nothing of Muster's. */
  | { readonly type: 'none' }
  /** A schema with the name that Muster needs belongs to something else. */
  | { readonly type: 'foreign'; readonly schema: string }
  /** Muster's, but no home owns it: it was made by a version without owners, or just now. */
  | { readonly type: 'unowned' }
  | {
      readonly type: 'owned'
      readonly databaseId: string
      readonly homeId: string
      readonly home: string
      readonly since: Date
    }

export type Ownership = { readonly databaseId: string; readonly number: number }

/** pg-boss keeps the queue here. */
const QUEUE_SCHEMA = 'pgboss'
const TIMEOUTS = { connectionTimeoutMillis: 10_000, query_timeout: 60_000 }
/** How long the transactions of the previous daemon may take to end. */
const PREDECESSOR = '30s'

/** Reads what is in the database. Changes nothing. */
export async function readInstallation(connection: pg.ClientConfig): Promise<Installation> {
  return withClient(connection, async (client) => {
    const found = await readSchemas(client)
    if (found.own || found.old) return found.owner ? readOwner(client) : { type: 'unowned' }
    if (found.relations > 0) return { type: 'foreign', schema: SCHEMA }
    return found.queue ? { type: 'foreign', schema: QUEUE_SCHEMA } : { type: 'none' }
  })
}

/** Makes a home the owner and gives its daemon the next number, after the last transaction of the previous owner. */
export async function takeOwnership(
  connection: pg.ClientConfig,
  owner: { readonly homeId: string; readonly home: string },
): Promise<Ownership> {
  return withClient(connection, async (client) => {
    await client.query(`begin; set local lock_timeout = '${PREDECESSOR}';
      select pg_advisory_xact_lock(1297437524, 2)`)
    const { rows } = await client.query<{ databaseId: string; number: string }>(
      `update ${SCHEMA}.owner set home_id = $1, home = $2, number = number + 1, since = now(),
         database_id = coalesce(database_id, gen_random_uuid()::text)
       returning database_id as "databaseId", number`,
      [owner.homeId, owner.home],
    )
    await client.query('commit')
    const [row] = rows
    if (row === undefined) throw new Error('the owner row is missing')
    return { databaseId: row.databaseId, number: Number(row.number) }
  })
}

type Schemas = {
  readonly own: boolean
  readonly old: boolean
  readonly owner: boolean
  readonly queue: boolean
  readonly relations: number
}

async function readSchemas(client: pg.Client): Promise<Schemas> {
  const { rows } = await client.query<Omit<Schemas, 'own' | 'old'>>(
    `select to_regclass('${SCHEMA}.owner') is not null as owner, to_regnamespace('${QUEUE_SCHEMA}') is not null as queue,
       (select count(*)::int from pg_class where relnamespace = to_regnamespace('${SCHEMA}')) as relations`,
  )
  const [row] = rows
  if (row === undefined) throw new Error('the database returned no row')
  return { ...row, own: await hasSpine(client, SCHEMA), old: await hasSpine(client, 'public') }
}

/** Whether Muster's first migration was applied in this schema. Applications may have a table of the same name. */
async function hasSpine(client: pg.Client, schema: string): Promise<boolean> {
  const columns = await client.query(
    `select from pg_attribute where attrelid = to_regclass($1) and attname = 'name'`,
    [`${schema}.kysely_migration`],
  )
  if (columns.rowCount === 0) return false
  const found = await client.query(`select from ${schema}.kysely_migration where name = '0001-spine'`)
  return found.rowCount === 1
}

async function readOwner(client: pg.Client): Promise<Installation> {
  const { rows } = await client.query<{ [Key in keyof Owner]: Owner[Key] | null }>(
    `select database_id as "databaseId", home_id as "homeId", home, since from ${SCHEMA}.owner`,
  )
  const { databaseId, homeId, home, since } = rows[0] ?? {}
  if (!databaseId || !homeId || !home || !since) return { type: 'unowned' }
  return { type: 'owned', databaseId, homeId, home, since }
}

type Owner = Omit<Extract<Installation, { type: 'owned' }>, 'type'>

async function withClient<Value>(
  connection: pg.ClientConfig,
  use: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = new pg.Client({ ...connection, ...TIMEOUTS, application_name: 'muster-owner' })
  client.on('error', () => undefined) // the query in progress reports it
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
