import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { take } from '../../../../../test/support/take.ts'
import { temporaryDirectory } from '../../../../../test/support/temporary-directory.ts'
import { findNamed } from './find-named.ts'

async function namedIn(...given: Parameters<typeof findNamed>): Promise<readonly string[]> {
  return take(await findNamed(...given))
}

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
  const found = await namedIn(names, [`${root}/skipped`])
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
  expect(await namedIn(names, [])).toEqual([join(root, 'tools/cloud'), join(root, 'tools/keys')])
})

it('looks at a directory that is given, even if others are to be left out', async () => {
  await using directory = await temporaryDirectory()
  const root = await realpath(directory.path)
  await write(root, ['.env', 'own/.env'])
  const names = { within: [root], files: ['.env'], directories: [] }
  expect(await namedIn(names, [root, `${root}/own`])).toEqual([join(root, '.env')])
})

async function crowd(directory: string, count: number, below = ''): Promise<void> {
  const numbers = Array.from({ length: count }, (_, number) => number)
  await Promise.all(numbers.map((number) => mkdir(join(directory, `d${number}`, below), { recursive: true })))
}

it('sees everything else where thousands of directories are in one', async () => {
  await using directory = await temporaryDirectory()
  const root = await realpath(directory.path)
  await write(root, ['one/a/b/c/.env', 'two/x/y/etc/npmrc', 'one/crowd/.keep'])
  await crowd(join(root, 'one/crowd'), 3100)
  const names = { within: [`${root}/one`, `${root}/two`], files: ['.env', 'etc/npmrc'], directories: [] }
  expect(new Set(await namedIn(names, []))).toEqual(
    new Set(['one/a/b/c/.env', 'one/crowd', 'two/x/y/etc/npmrc'].map((path) => join(root, path))),
  )
})

it('hides directories that it could not look into, all at once if there are many', async () => {
  await using directory = await temporaryDirectory()
  const root = await realpath(directory.path)
  await crowd(join(root, 'crowd'), 2000, 'deeper')
  await write(root, ['crowd/d1999/deeper/.env', 'direct/.env'])
  const names = { within: [root], files: ['.env'], directories: [] }
  const found = await namedIn(names, [])
  expect(found).toEqual([join(root, 'direct/.env'), join(root, 'crowd')])
})

it("looks into a person's own Go code, but not into the modules that it uses", async () => {
  await using directory = await temporaryDirectory()
  const root = await realpath(directory.path)
  await write(root, ['go/src/example.org/ada/tool/.env', 'go/pkg/mod/cache/.env', 'bun/install/cache/x/.env'])
  const names = { within: [`${root}/go`, `${root}/bun`], files: ['.env'], directories: [] }
  expect(await namedIn(names, [])).toEqual([join(root, 'go/src/example.org/ada/tool/.env')])
})

it('matches patterns and any capitals, except names that are harmless', async () => {
  await using directory = await temporaryDirectory()
  const root = await realpath(directory.path)
  const hidden = [
    '.ENV',
    '.Env.Local',
    '.env.prod',
    'a/key.pem',
    'a/Server-Key.pem',
    'ETC/npmrc',
    '.Aws/config',
  ]
  await write(root, [
    ...hidden,
    '.env.example',
    '.ENV.Sample',
    'a/cert.pem',
    'a/public-key.pem',
    '.environment',
  ])
  const names = {
    within: [root],
    files: ['.env', '.env.*', '*key.pem', 'etc/npmrc'],
    harmlessFiles: ['.env.example', '.env.sample', '*public-key.pem'],
    directories: ['.aws'],
  }
  const expected = hidden.map((path) => join(root, path.replace('/config', '')))
  expect(new Set(await namedIn(names, []))).toEqual(new Set(expected))
})
