import { join } from 'node:path'
import type { TestUserConfig } from 'vitest/node'

/** The options that the test suites share. */
export const sharedTestOptions: TestUserConfig = {
  globalSetup: [
    'test/support/shared-postgres.ts',
    'test/support/remove-templates.ts',
    'test/support/memory-directory.ts',
  ],
  // The daemons and commands that tests start load the same few hundred files each time.
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/muster-compile') },
  // Generous limits: tests use real databases, git and processes, and shared machines stall.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // A poll returns as soon as its condition holds; on a busy machine, one second is too short.
  expect: { poll: { timeout: 20_000 } },
  // One more than the two cores of the smallest machine, because tests often wait for processes. With two more, the whole
  // took as long.
  maxWorkers: 3,
  // Loading the same modules again for each of two hundred files would take longer than many of the tests. So a test
  // must leave its worker's globals (environment, directory, timers) as it found them.
  isolate: false,
}
