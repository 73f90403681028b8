import { defineConfig } from 'vitest/config'
import { sharedTestOptions } from './vitest.shared.ts'

/** Stories in which something is killed, filled up or flooded at every point that has a name. */
export default defineConfig({
  test: { ...sharedTestOptions, include: ['test/faults/**/*.test.ts'] },
})
