import { existsSync } from 'node:fs'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { silentLog } from '../../../test/support/silent-log.ts'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import type { HubCopies } from '../../ports/hub-copies.ts'
import type { RecordCopies, RecordSnapshot } from '../../ports/record-copies.ts'
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

describe('a backup of a home without projects', () => {
  const snapshot: RecordSnapshot = { schema: '', tables: [], bytes: 0, rows: async function* () {} }

  async function backUp(home: string, file: string, note: () => Promise<void>) {
    await mkdir(join(home, 'hubs'), { recursive: true })
    await using runner = new BackupRunner({
      records: { read: (work) => work(snapshot), load: () => Promise.reject(new Error('not in this test')) },
      hubs: { list: async () => [] } as unknown as HubCopies,
      home: { directory: home, hubs: join(home, 'hubs') },
      version: '1.0.0',
      now: () => new Date(),
      log: silentLog,
      note,
    })
    runner.start({ file })
    await runner[Symbol.asyncDispose]()
    return runner.state
  }

  it('is reported as made once its file is there, even if the audit log cannot be written', async () => {
    await using directory = await temporaryDirectory('muster-backup')
    const file = join(directory.path, 'backup.tar')
    const lost = () => Promise.reject(new Error('the database is gone'))
    const state = await backUp(join(directory.path, 'home'), file, lost)
    expect(existsSync(file)).toBe(true)
    expect(state).toMatchObject({ type: 'done', summary: { file } })
  })

  it('says why it cannot be written without naming a system call', async () => {
    await using directory = await temporaryDirectory('muster-backup')
    const file = join(directory.path, 'absent', 'backup.tar')
    const state = await backUp(join(directory.path, 'home'), file, async () => {})
    const problem = 'no such file or directory'
    expect(state).toEqual({ type: 'failed', failure: { type: 'backup-unwritable', file, problem } })
  })

  it('does not take something that it cannot follow for an absent file', async () => {
    await using directory = await temporaryDirectory('muster-backup')
    const file = join(directory.path, 'backup.tar')
    await symlink(file, file)
    const state = await backUp(join(directory.path, 'home'), file, async () => {})
    expect(state).toEqual({ type: 'failed', failure: { type: 'backup-file-exists', file } })
    expect(await readdir(directory.path)).toEqual(['backup.tar', 'home'])
  })
})
