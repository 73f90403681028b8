import { defineConfig } from 'vitest/config'
import { sharedTestOptions } from './vitest.shared.ts'

/** The whole program, as a person, a script or a program that embeds it uses it. */
export default defineConfig({
  test: {
    ...sharedTestOptions,
    include: ['test/{documents,e2e,library}/**/*.test.ts'],
    // These wait for daemons and agents more than they compute.
    maxWorkers: 4,
  },
})
