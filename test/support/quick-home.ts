import { type TestHome, testHome } from './test-daemon.ts'
import { createTestDatabase, urlOf } from './test-database.ts'

/**
 * A test home whose daemons use a database in the test run's PostgreSQL. For tests that are not about the embedded
 * database, because creating, starting and stopping one takes seconds.
 */
export async function quickHome(): Promise<TestHome> {
  return testHome({ MUSTER_DATABASE_URL: urlOf(await createTestDatabase()) })
}
