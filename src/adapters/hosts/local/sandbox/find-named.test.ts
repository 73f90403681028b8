import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../../test/support/temporary-directory.ts'
import { findNamed } from './find-named.ts'

async function write(root: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), '')
  }
}

it('finds files and directories by name, a few levels deep, but not in packages', async () => {
  await using directory = await temporaryDirectory()
  const root = await realpath(directory.path)
  const hidden = ['.env', 'bin/.env', 'a/b/c/d/.env', 'tool/etc/npmrc', 'lib/.env']
  const shown = ['bin/npmrc', 'bin/run', 'a/b/c/d/e/.env', 'lib/deep/.env', 'node_modules/x/.env']
  await write(root, [...hidden, ...shown, '.aws/config', 'python/.env/bin/python', 'skipped/.env'])
  const names = {
    within: [root, `${root}/bin`, `${root}/absent`],
    files: ['.env', 'etc/npmrc'],
    directories: ['.aws'],
  }
  const found = await findNamed(names, [`${root}/skipped`])
  expect(new Set(found)).toEqual(new Set([...hidden, '.aws'].map((path) => join(root, path))))
})

it('finds what a link with such a name points to, if it is in the same place', async () => {
  await using directory = await temporaryDirectory()
  const root = await realpath(directory.path)
  await write(root, ['tools/keys', 'tools/cloud/config', 'elsewhere/program', 'tools/python/bin'])
  await symlink('keys', join(root, 'tools/.env'))
  await symlink('cloud', join(root, 'tools/.aws'))
  await mkdir(join(root, 'tools/one'))
  await symlink('../../elsewhere/program', join(root, 'tools/one/.env'))
  await mkdir(join(root, 'tools/two'))
  await symlink('../python', join(root, 'tools/two/.env'))
  await symlink('tools', join(root, 'linked'))
  const names = { within: [`${root}/linked`], files: ['.env'], directories: ['.aws'] }
  expect(await findNamed(names, [])).toEqual([join(root, 'tools/cloud'), join(root, 'tools/keys')])
})

it('looks at a directory that is given, even if others are to be left out', async () => {
  await using directory = await temporaryDirectory()
  const root = await realpath(directory.path)
  await write(root, ['.env', 'own/.env'])
  const names = { within: [root], files: ['.env'], directories: [] }
  expect(await findNamed(names, [root, `${root}/own`])).toEqual([join(root, '.env')])
})
