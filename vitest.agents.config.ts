import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/agents/**/*.agents.ts'],
    // Real agent programs, one at a time: some take half a gigabyte and several seconds to start.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
