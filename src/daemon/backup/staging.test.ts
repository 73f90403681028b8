import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { openStaging } from './staging.ts'

/** A backup that never gets any further. */
const BACKUP = `
const { openStaging } = await import(process.env.STAGING)
const { writeFile } = await import('node:fs/promises')
await using staging = await openStaging(process.env.FILE)
await writeFile(staging.path + '/archive', 'half of it')
process.stdout.write(staging.path)
setInterval(() => staging.path, 60_000)
await new Promise(() => {})
`

async function startBackup(file: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', BACKUP], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { STAGING: new URL('./staging.ts', import.meta.url).href, FILE: file },
  })
  const [path] = await once(child.stdout, 'data')
  const kill = async () => {
    if (child.kill('SIGKILL')) await once(child, 'exit')
  }
  return { path: String(path), kill, [Symbol.asyncDispose]: kill }
}

it('removes what a killed backup left, and nothing of one that is running', async () => {
  await using directory = await temporaryDirectory('muster-staging')
  const at = (name: string) => join(directory.path, name)
  await using killed = await startBackup(at('a.tar'))
  await using running = await startBackup(at('b.tar'))
  await killed.kill()
  {
    await using staging = await openStaging(at('c.tar'))
    expect(dirname(staging.path)).toBe(directory.path)
    const left = [running.path, staging.path].map((path) => path.slice(directory.path.length + 1))
    expect(new Set(await readdir(directory.path))).toEqual(new Set(left))
  }
  await running.kill()
  await using _staging = await openStaging(at('c.tar'))
  expect(await readdir(directory.path)).toHaveLength(1)
})

it('leaves everything that a backup did not make', async () => {
  await using directory = await temporaryDirectory('muster-staging')
  const foreign = {
    '.a.tar.partial-abcdef': ['lock', 'archive', 'thesis.txt'],
    '.b.tar.partial-abcdef': ['archive'],
    '.c.tar.partial-abcdef.old': ['lock', 'archive'],
    'd.tar.partial-abcdef': ['lock', 'archive'],
  }
  for (const [name, files] of Object.entries(foreign)) {
    await mkdir(join(directory.path, name))
    for (const file of files) await writeFile(join(directory.path, name, file), '')
  }
  await mkdir(join(directory.path, '.e.tar.partial-abcdef'))
  await writeFile(join(directory.path, '.e.tar.partial-abcdef/lock'), 'not a lock')
  await writeFile(join(directory.path, '.f.tar.partial-abcdef'), 'a file')
  const before = await readdir(directory.path, { recursive: true })
  {
    await using _staging = await openStaging(join(directory.path, 'new.tar'))
  }
  expect(await readdir(directory.path, { recursive: true })).toEqual(before)
})

it('removes an old empty directory of a backup that was killed before it had its lock', async () => {
  await using directory = await temporaryDirectory('muster-staging')
  const [old, young] = ['.a.tar.partial-abcdef', '.b.tar.partial-abcdef'] as const
  for (const name of [old, young]) await mkdir(join(directory.path, name))
  const hourAgo = Date.now() / 1_000 - 3_600
  await utimes(join(directory.path, old), hourAgo, hourAgo)
  {
    await using _staging = await openStaging(join(directory.path, 'new.tar'))
  }
  expect(await readdir(directory.path)).toEqual([young])
})
