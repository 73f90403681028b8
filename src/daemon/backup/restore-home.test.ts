import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TemporaryDirectory, temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import type { BackupManifest } from '../../contract/backup.ts'
import { failure } from '../../domain/result.ts'
import { createCrashPoints } from '../crash-on-purpose.ts'
import { IDENTITY_FILE } from '../home-files.ts'
import { takeHomeLock } from '../home-lock.ts'
import { ArchiveWriter } from './archive-writer.ts'
import { restoreHome } from './restore-home.ts'

type Needs = Parameters<typeof restoreHome>[0]

const NOW = new Date('2030-01-02T03:04:05Z')
const MOVED = '.before-restore-20300102T030405000Z'
let directory: TemporaryDirectory
let home: string
let file: string

beforeEach(async () => {
  directory = await temporaryDirectory('muster-restore')
  home = join(directory.path, 'home')
  file = join(directory.path, 'muster.tar')
  const manifest: BackupManifest = {
    format: 1,
    version: '1.0.0',
    schema: '',
    madeAt: NOW.toISOString(),
    tables: [],
    hubs: [],
    parts: [],
  }
  await using writer = await ArchiveWriter.create(file)
  await writer.addText('manifest.json', JSON.stringify(manifest))
  await writer.finish()
})
afterEach(() => directory[Symbol.asyncDispose]())

/** A home with something in it, whose daemon has ended. */
async function leaveHome(): Promise<void> {
  await mkdir(home)
  await writeFile(join(home, 'precious'), 'work')
  takeHomeLock(join(home, 'daemon.lock'))?.[Symbol.dispose]()
}

/** Restores to the point where the home is filled, which is reported here and then fails. */
async function restore(force: boolean, onFill: () => void = () => {}, onStart?: () => void) {
  const openTarget: Needs['openTarget'] = async ({ directory: filled }) => {
    onFill()
    return failure({ type: 'restore-failed', home: filled, problem: 'not in this test' })
  }
  return await restoreHome(
    { now: () => NOW, openTarget, crash: createCrashPoints(undefined) },
    { home, file, force, onStart },
  )
}

describe('a restore onto a home in use', () => {
  it.each([false, true])('is refused while a daemon runs there, with --force: %s', async (force) => {
    await leaveHome()
    using _daemon = takeHomeLock(join(home, 'daemon.lock'))
    const before = await readdir(home)
    expect(await restore(force)).toMatchObject({ failure: { type: 'home-taken', home } })
    expect(await readdir(home)).toEqual(before)
    expect(await readdir(directory.path)).toEqual(['home', 'muster.tar'])
  })

  it('is refused while its database runs, which a killed daemon leaves behind', async () => {
    await leaveHome()
    await mkdir(join(home, 'postgres/data'), { recursive: true })
    await writeFile(join(home, 'postgres/data/postmaster.pid'), `${process.pid}\n`)
    expect(await restore(true)).toMatchObject({ failure: { type: 'database-running', pid: process.pid } })
    expect(await readFile(join(home, 'precious'), 'utf8')).toBe('work')
  })

  it('is refused if a daemon starts there first, and leaves both homes as they are', async () => {
    await leaveHome()
    const restoring = restore(true)
    const identity = join(home, IDENTITY_FILE)
    // The old home has been moved, and the new one is being made.
    while (existsSync(join(home, 'precious')) || !existsSync(home)) await nextTurn()
    writeFileSync(identity, 'another')
    const movedTo = `${home}${MOVED}`
    expect(await restoring).toMatchObject({
      failure: { type: 'restore-failed', problem: expect.stringContaining(movedTo) },
    })
    expect(await readFile(identity, 'utf8')).toBe('another')
    expect(await readFile(join(movedTo, 'precious'), 'utf8')).toBe('work')
  })
})

describe('a restore', () => {
  it('reports its start only if nothing is in the way', async () => {
    let starts = 0
    const onStart = () => {
      starts += 1
    }
    await leaveHome()
    expect(await restore(false, undefined, onStart)).toMatchObject({ failure: { type: 'home-not-empty' } })
    expect(starts).toBe(0)
    await restore(true, undefined, onStart)
    expect(starts).toBe(1)
  })

  it('says why it cannot read the file without naming a system call', async () => {
    file = join(directory.path, 'absent.tar')
    expect(await restore(false)).toMatchObject({
      failure: { type: 'backup-unreadable', problem: 'no such file or directory' },
    })
  })

  it('lets no daemon start in the home while it is filled', async () => {
    const seen: boolean[] = []
    await restore(false, () => {
      using lock = takeHomeLock(join(home, 'daemon.lock'))
      seen.push(lock !== undefined)
    })
    expect(seen).toEqual([false])
  })

  it('marks the home until it is filled, so that no daemon takes it for an empty one', async () => {
    const seen: boolean[] = []
    await restore(false, () => seen.push(existsSync(join(home, 'restoring'))))
    expect(seen).toEqual([true])
  })

  it('keeps every daemon out of the home if it is killed before it is done', async () => {
    await mkdir(home)
    await writeFile(join(home, 'restoring'), '')
    const bin = fileURLToPath(new URL('../../bin.ts', import.meta.url))
    const started = spawnSync(process.execPath, [bin, '--home', home, 'serve'], { encoding: 'utf8' })
    expect(started.status).toBe(5)
    expect(started.stderr).toContain(`a restore into ${home} was interrupted or is still running`)
    expect(await readdir(home)).not.toContain('postgres')
  })

  it('puts the old home back if it fails, without what it had already written', async () => {
    await leaveHome()
    const before = await readdir(home)
    expect(await restore(true)).toMatchObject({ failure: { problem: 'not in this test' } })
    expect(await readdir(home)).toEqual(before)
    expect(await readdir(directory.path)).toEqual(['home', 'muster.tar'])
  })
})
