import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { runCli } from './run-cli.ts'
import { testSurroundings } from './testing/test-surroundings.ts'

it('treats a terminal of width 0 as one of 80 columns', async () => {
  const stderr = Object.assign(new PassThrough(), { columns: 0 })
  expect(await runCli(testSurroundings({ stderr }), ['list', 'something-that-is-not-there'])).toBe(2)
  const [first = ''] = String(stderr.read()).split('\n')
  expect(first).toMatch(/^error: "something-that-is-not-there" can't be listed; use /)
  expect(stderr.columns).toBe(80)
})
