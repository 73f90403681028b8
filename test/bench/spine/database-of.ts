import { openEmbeddedPostgres } from '../../../src/daemon/postgres/open-embedded-postgres.ts'
import { silentLog } from '../../support/silent-log.ts'
import type { TestHome } from '../../support/test-daemon.ts'

/** The connection to the running database of a home. Stops nothing. */
export async function connectionOf(home: TestHome): Promise<object> {
  const opened = await openEmbeddedPostgres({ log: silentLog }, { home: home.home })
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure))
  return { ...opened.value.connection }
}
