import { cp, mkdir, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import { readDaemonFile } from './daemon-file.ts'

async function registered(home: string): Promise<void> {
  await mkdir(home)
  const { dev, ino } = await stat(home, { bigint: true })
  const place = { id: 'a1', path: home, device: String(dev), inode: String(ino) }
  const file = { url: 'http://127.0.0.1:7420', pid: process.pid, version: '1', home: place }
  await writeFile(join(home, 'daemon.json'), JSON.stringify(file))
}

it('is believed in its own home, even if that was renamed, and not in a copy', async () => {
  await using directory = await temporaryDirectory('muster-daemon-file')
  const [home, copy, renamed] = ['home', 'copy', 'renamed'].map((name) => join(directory.path, name)) as [
    string,
    string,
    string,
  ]
  await registered(home)
  await cp(home, copy, { recursive: true })
  expect(await readDaemonFile(home)).toMatchObject({ pid: process.pid })
  expect(await readDaemonFile(copy)).toBeUndefined()
  await rename(home, renamed)
  expect(await readDaemonFile(renamed)).toMatchObject({ pid: process.pid })
})
