import { once } from 'node:events'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openEmbeddedPostgres } from '../../src/daemon/postgres/open-embedded-postgres.ts'
import { silentLog } from './silent-log.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/**
 * Nothing has to survive a crash of the machine, many test files connect at once, and there are hundreds of databases,
 * for each of which autovacuum would start a worker once a minute.
 */
const TEST_SETTINGS = [
  'fsync = off',
  'synchronous_commit = off',
  'full_page_writes = off',
  'autovacuum = off',
  'max_connections = 300',
]

// A program of its own, because a test run may be killed: then its end of our standard input closes, and PostgreSQL
// stops. It prints the connection as one line of JSON.
await using home = await temporaryDirectory('muster-pg')
await (await openPostgres()).stop()
await appendFile(join(home.path, 'postgres/data/postgresql.conf'), `${TEST_SETTINGS.join('\n')}\n`)
await using server = await openPostgres()
process.stdout.write(`${JSON.stringify(server.connection)}\n`)
await once(process.stdin.resume(), 'end')

async function openPostgres() {
  const opened = await openEmbeddedPostgres({ log: silentLog }, { home: home.path })
  if (!opened.ok) throw new Error(`no test database: ${JSON.stringify(opened.failure)}`)
  return opened.value
}
