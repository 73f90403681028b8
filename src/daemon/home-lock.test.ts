import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import { takeHomeLock } from './home-lock.ts'

it('is held by one at a time', async () => {
  await using directory = await temporaryDirectory('muster-lock')
  const path = join(directory.path, 'lock')
  const first = takeHomeLock(path)
  expect(first).toBeDefined()
  expect(takeHomeLock(path)).toBeUndefined()
  first?.[Symbol.dispose]()
  using later = takeHomeLock(path)
  expect(later).toBeDefined()
})

it('reports a file that is no lock instead of calling it locked', async () => {
  await using directory = await temporaryDirectory('muster-lock')
  const path = join(directory.path, 'lock')
  await writeFile(path, 'this is not a database'.repeat(100))
  expect(() => takeHomeLock(path)).toThrow('file is not a database')
})
