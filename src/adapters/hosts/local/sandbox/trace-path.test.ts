import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../../test/support/temporary-directory.ts'
import { tracePath } from './trace-path.ts'

it('finds the real path and every link on the way', async () => {
  await using directory = await temporaryDirectory()
  const root = await realpath(directory.path)
  await mkdir(join(root, 'versions/9/bin'), { recursive: true })
  await writeFile(join(root, 'versions/9/bin/agent'), '')
  await symlink('versions/9', join(root, 'current'))
  await symlink(join(root, 'current/bin/../bin/agent'), join(root, 'agent'))

  expect(await tracePath(join(root, 'agent'))).toEqual({
    path: join(root, 'versions/9/bin/agent'),
    isDirectory: false,
    links: [
      { path: join(root, 'agent'), target: join(root, 'current/bin/../bin/agent') },
      { path: join(root, 'current'), target: 'versions/9' },
    ],
  })
  expect(await tracePath(`${root}//versions/./9/`)).toMatchObject({ isDirectory: true, links: [] })
})

it('returns nothing for a missing path or a loop of links', async () => {
  await using directory = await temporaryDirectory()
  await symlink('round', join(directory.path, 'round'))
  await symlink('missing', join(directory.path, 'broken'))
  for (const name of ['round', 'broken', 'missing', 'missing/deeper']) {
    expect(await tracePath(join(directory.path, name))).toBeUndefined()
  }
})
