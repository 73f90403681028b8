import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TemporaryDirectory, temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import type { BackupManifest } from '../../contract/backup.ts'
import { CRASH_POINTS, type CrashPoint } from '../../ports/crash-points.ts'
import { claimHome } from '../claim-home.ts'
import { stopLeftovers } from '../stop-leftovers.ts'
import { ArchiveWriter } from './archive-writer.ts'

/** A restore of a backup without repositories, into a database that only says whether it works. */
const RESTORE = `
const { restoreHome } = await import(process.env.RESTORE_HOME)
const { createCrashPoints } = await import(process.env.CRASH_ON_PURPOSE)
const { HOME_DIRECTORY: home, FILE: file, OUTCOME: outcome, CRASH_AT } = process.env
const failed = { ok: false, failure: { type: 'restore-failed', home, problem: 'the disk is full' } }
const target = { records: { load: async () => ({ ok: true }) }, hubs: {}, note: async () => {} }
const restored = await restoreHome(
  {
    now: () => new Date(),
    crash: createCrashPoints(CRASH_AT),
    openTarget: async () => (outcome === 'fails' ? failed : { ok: true, value: target }),
  },
  { home, file, force: true },
)
process.exitCode = restored.ok ? 0 : 1
`

let directory: TemporaryDirectory
let home: string

beforeEach(async () => {
  directory = await temporaryDirectory('muster-restore')
  home = join(directory.path, 'home')
  const [madeAt, nothing] = [new Date().toISOString(), { tables: [], hubs: [], parts: [] }]
  const manifest: BackupManifest = { format: 1, version: '1.0.0', schema: '', madeAt, ...nothing }
  await using writer = await ArchiveWriter.create(join(directory.path, 'muster.tar'))
  await writer.addText('manifest.json', JSON.stringify(manifest))
  await writer.finish()
  expect(await startDaemon()).toBe('started')
  await writeFile(join(home, 'precious'), 'work')
})
afterEach(() => directory[Symbol.asyncDispose]())

function restore(outcome: 'works' | 'fails', point?: CrashPoint) {
  const { status, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', RESTORE], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      RESTORE_HOME: new URL('./restore-home.ts', import.meta.url).href,
      CRASH_ON_PURPOSE: new URL('../crash-on-purpose.ts', import.meta.url).href,
      HOME_DIRECTORY: home,
      FILE: join(directory.path, 'muster.tar'),
      OUTCOME: outcome,
      CRASH_AT: point,
    },
  })
  return signal ?? status
}

/** Does what a daemon does first, and gives the home back. */
async function startDaemon(): Promise<string> {
  const claimed = await claimHome(home)
  if (!claimed.ok) return claimed.failure.type
  claimed.value.claim[Symbol.dispose]()
  return 'started'
}

async function findPrecious(): Promise<readonly string[]> {
  const names = await readdir(directory.path)
  return names.filter((name) => existsSync(join(directory.path, name, 'precious')))
}

const OLD_HOME_IS_THERE: readonly CrashPoint[] = ['restore.before-move', 'restore.after-put-back']

describe.each(CRASH_POINTS.filter((point) => point.startsWith('restore.')))(
  'a restore killed at %s',
  (at) => {
    const outcome = at.endsWith('put-back') ? 'fails' : 'works'

    it('leaves the old home in its place, or keeps every daemon out', async () => {
      expect(restore(outcome, at)).toBe('SIGKILL')
      if (OLD_HOME_IS_THERE.includes(at)) {
        expect(await startDaemon()).toBe('started')
        expect(await readFile(join(home, 'precious'), 'utf8')).toBe('work')
        // Nothing of the restore is left that could keep a later daemon out.
        expect((await readdir(directory.path)).sort()).toEqual(['home', 'muster.tar'])
        return
      }
      const before = await readdir(directory.path)
      expect(await startDaemon()).toBe('restore-unfinished')
      expect(await readdir(directory.path)).toEqual(before)
      expect(await findPrecious()).toEqual([expect.stringMatching(/^home\.before-restore-/)])
    })

    it('can be repeated, even after commands have left a log there and stopped the database', async () => {
      restore(outcome, at)
      await mkdir(join(home, 'logs'), { recursive: true })
      await writeFile(join(home, 'logs', 'daemon.log'), 'error: a restore was interrupted\n')
      expect(await stopLeftovers(home)).toMatchObject({ ok: true })
      expect(restore('fails')).toBe(1)
      expect(await startDaemon()).toBe(OLD_HOME_IS_THERE.includes(at) ? 'started' : 'restore-unfinished')
      expect(restore('works')).toBe(0)
      expect(await startDaemon()).toBe('started')
      expect(await findPrecious()).toEqual([expect.stringMatching(/^home\.before-restore-/)])
      expect(await readdir(directory.path)).not.toContain('home.restoring')
    })
  },
)

it('starts in the old home once someone has moved it back by hand', async () => {
  restore('works', 'restore.after-move')
  const [moved = ''] = await findPrecious()
  await rename(join(directory.path, moved), home)
  expect(await startDaemon()).toBe('started')
  expect((await readdir(directory.path)).sort()).toEqual(['home', 'muster.tar'])
})
