import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/agents/**/*.agents.ts'],
    // One file at a time, because some real agent programs need half a gigabyte and several seconds to start.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
