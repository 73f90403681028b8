import { defineConfig } from 'vitest/config'
import { sharedTestOptions } from './vitest.shared.ts'

/**
 * The tests that kill, fill up or flood something, and more trials of two tests that `npm test` runs. Some measure
 * delays, so only two files run at the same time.
 */
export default defineConfig({
  test: {
    ...sharedTestOptions,
    include: [
      'test/faults/**/*.test.ts',
      'src/adapters/git/hub/kill.test.ts',
      'src/adapters/hosts/local/escape.test.ts',
    ],
    env: { ...sharedTestOptions.env, MUSTER_MANY_TRIALS: 'yes' },
    maxWorkers: 2,
  },
})
