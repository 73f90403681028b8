import { defineConfig } from 'vitest/config'
import { sharedTestOptions } from './vitest.shared.ts'

export default defineConfig({
  test: {
    ...sharedTestOptions,
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'test/**/*.test.ts'],
    exclude: ['test/faults/**', 'node_modules/**'],
  },
})
