import { chmod, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { findProgram } from './find-program.ts'

it('finds the first program on the PATH, and never one in a relative directory', async () => {
  await using directory = await temporaryDirectory()
  const { path } = directory
  await writeFile(join(path, 'gh'), '')
  const searchPath = `:.:${relative(process.cwd(), path)}:/absent:${path}/`
  expect(await findProgram('gh', searchPath)).toBeUndefined()
  await chmod(join(path, 'gh'), 0o755)
  expect(await findProgram('gh', relative(process.cwd(), path))).toBeUndefined()
  expect(await findProgram('gh', searchPath)).toBe(join(path, 'gh'))
})
