import { type TestHome, testHome } from './test-daemon.ts'
import { createTestDatabase, urlOf } from './test-database.ts'

/**
 * A test home whose daemons use a database of the test run's PostgreSQL. For every story that is not about the embedded
 * database: creating, starting and stopping one takes seconds.
 */
export async function quickHome(): Promise<TestHome> {
  return testHome({ DATABASE_URL: urlOf(await createTestDatabase()) })
}
