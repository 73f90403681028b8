import { join } from 'node:path'
import { expect, it } from 'vitest'
import { silentLog } from '../../../test/support/silent-log.ts'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import type { HubCopies } from '../../ports/hub-copies.ts'
import type { RecordCopies } from '../../ports/record-copies.ts'
import { BackupRunner } from './backup-runner.ts'

it('makes a backup wait until no hub is being compacted, and compacts none during a backup', async () => {
  await using directory = await temporaryDirectory('muster-backup')
  const steps: string[] = []
  const hubs = {
    list: () => {
      steps.push('backup')
      return Promise.reject(new Error('there are no hubs here'))
    },
  } as unknown as HubCopies
  const runner = new BackupRunner({
    records: {} as RecordCopies,
    hubs,
    home: { directory: directory.path, hubs: join(directory.path, 'hubs') },
    version: '1.0.0',
    now: () => new Date(),
    log: silentLog,
    note: async () => {},
  })
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const compacting = runner.exclude(async () => {
    await finished
    steps.push('compacted')
  })
  runner.start({ file: join(directory.path, 'backup.tar') })
  expect(await runner.exclude(async () => void steps.push('never'))).toBe(false)
  finish()
  expect(await compacting).toBe(true)
  await runner[Symbol.asyncDispose]()
  expect(steps).toEqual(['compacted', 'backup'])
  expect(await runner.exclude(async () => {})).toBe(true)
})
