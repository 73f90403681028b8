import { defineConfig } from 'vitest/config'
import { sharedTestOptions } from './vitest.shared.ts'

/** Every part with its real neighbours. What starts a whole daemon has suites of its own, because it takes longer. */
export default defineConfig({
  test: {
    ...sharedTestOptions,
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'test/**/*.test.ts'],
    exclude: ['test/{documents,e2e,faults,library}/**', 'node_modules/**'],
  },
})
