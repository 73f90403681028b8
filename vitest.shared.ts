import { join } from 'node:path'
import type { TestUserConfig } from 'vitest/node'

/** What `npm test` and `npm run test:faults` have in common. */
export const sharedTestOptions: TestUserConfig = {
  globalSetup: ['test/support/shared-postgres.ts'],
  // The daemons and commands that tests start load the same few hundred files each time.
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/muster-compile') },
  // Real databases, real git and real processes: generous limits, because shared machines stall.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  maxWorkers: 2,
}
