import { defineConfig } from 'vitest/config'
import { sharedTestOptions } from './vitest.shared.ts'

/** Jobs on real npm packages, which have to be downloaded. */
export default defineConfig({
  test: {
    ...sharedTestOptions,
    include: ['test/packages/**/*.packages.ts'],
    // Two jobs at a time keep two cores busy.
    maxConcurrency: 2,
  },
})
