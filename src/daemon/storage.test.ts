import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import { formatId } from '../domain/id.ts'
import type { HubCopies } from '../ports/hub-copies.ts'
import type { Records } from '../ports/store/store.ts'
import { bytesUsedBy } from './disk-use.ts'
import { Storage } from './storage.ts'

it('measures for the first status, and then shows the age of the measurement', async () => {
  await using home = await temporaryDirectory('muster-storage')
  await mkdir(join(home.path, 'hubs'))
  await writeFile(join(home.path, 'hubs', 'file'), 'x'.repeat(100_000))
  const storage = new Storage({ home: home.path, hubs: {} as HubCopies, read: {} as Records })
  const first = await storage.glance(60_000)
  expect(first?.usedBytes).toBeGreaterThanOrEqual(100_000)
  const second = await storage.glance(60_000)
  expect(second).toMatchObject({ usedBytes: first?.usedBytes, freeBytes: first?.freeBytes })
  expect(second?.ageMs).toBeGreaterThanOrEqual(first?.ageMs ?? 0)
})

it('measures folders and checks the repository of every project', async () => {
  await using home = await temporaryDirectory('muster-storage')
  await mkdir(join(home.path, 'hubs', 'deep'), { recursive: true })
  await mkdir(join(home.path, 'logs'))
  await writeFile(join(home.path, 'hubs', 'deep', 'file'), 'x'.repeat(100_000))
  const id = formatId('project', 1, new Uint8Array(11))
  const hubs = { check: async () => ({ type: 'damaged', problem: 'bad object' }) } as unknown as HubCopies
  const read = {
    projects: { list: async () => [{ id, path: '/garden', name: 'garden', createdAt: new Date() }] },
  } as unknown as Records
  const storage = new Storage({ home: home.path, hubs, read })

  const found = await storage.inspect()
  expect(found.folders.map(({ name }) => name)).toEqual(['hubs', 'logs'])
  expect(found.usedBytes).toBeGreaterThanOrEqual(100_000)
  expect(found.repositories).toEqual([
    { project: id, path: '/garden', status: 'damaged', problem: 'bad object' },
  ])
  expect(await bytesUsedBy(join(home.path, 'nothing'))).toBe(0)
})
