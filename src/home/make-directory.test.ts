import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import { makeDirectory } from './make-directory.ts'

it('creates missing directories and leaves existing ones unchanged', async () => {
  await using directory = await temporaryDirectory('muster-make')
  const path = join(directory.path, 'a', 'b')
  await makeDirectory(path, 0o700)
  await makeDirectory(path, 0o711)
  expect((await stat(path)).mode & 0o777).toBe(0o700)
})

it('fails at once where no directory can be created', async () => {
  await expect(makeDirectory('/proc/muster/home', 0o700)).rejects.toMatchObject({ path: '/proc/muster' })
})
