import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const SOURCE = resolve(import.meta.dirname, '../../src')

it('no message names a document of this repository, because the package does not contain the documents', async () => {
  const files = globSync('**/*.ts', { cwd: SOURCE }).filter((file) => !file.endsWith('.test.ts'))
  const named = await Promise.all(
    files.map(async (file) => ({
      file,
      names: /docs\/\S+\.md/.exec(await readFile(resolve(SOURCE, file), 'utf8')),
    })),
  )
  expect(files.length).toBeGreaterThan(100)
  expect(named.filter(({ names }) => names !== null)).toEqual([])
})
