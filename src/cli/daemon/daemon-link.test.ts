import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TemporaryDirectory, temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { STAND_IN_DAEMON } from '../testing/stand-in-daemon.ts'
import { openDaemonLink } from './daemon-link.ts'
import { ensureDaemon } from './ensure-daemon.ts'
import { findHomeDaemon } from './find-daemon-again.ts'
import { isSameProcess } from './process-identity.ts'

let directory: TemporaryDirectory
let home = ''

beforeEach(async () => {
  directory = await temporaryDirectory('muster-cli')
  home = join(directory.path, 'home')
  await writeFile(join(directory.path, 'stand-in.mjs'), STAND_IN_DAEMON)
})

afterEach(async () => {
  for (const pid of startedPids()) end(pid)
  await directory[Symbol.asyncDispose]()
})

function startedPids(): readonly number[] {
  return readFileSync(join(home, 'starts'), 'utf8').trim().split('\n').map(Number)
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function needs() {
  return {
    isRoot: process.getuid?.() === 0,
    program: [process.execPath, join(directory.path, 'stand-in.mjs')] as const,
    environment: { PATH: process.env['PATH'] },
    note: () => {},
  }
}

/** A daemon and a link to it; the daemon is dead when this returns. */
async function linkToDeadDaemon(before: () => Promise<void>) {
  const started = await ensureDaemon(needs(), home)
  if (!started.ok) throw new Error(started.failure.message)
  const { client, token, pid } = started.value
  await before()
  end(pid)
  await expect.poll(() => isSameProcess(pid, undefined)).toBe(false)
  // The kernel takes a real daemon's lock away with its process.
  await rm(join(home, 'lock'))
  return openDaemonLink({ url: client.url, token }, (say) => findHomeDaemon(needs(), home, say))
}

describe('a link to a daemon that was lost', () => {
  it('starts one that was killed again, says so, and goes on with the new one', async () => {
    const link = await linkToDeadDaemon(async () => {})
    expect(await link.client.ready()).toMatchObject({ ok: false, failure: { status: 0 } })
    const said: string[] = []
    link.lost((line) => said.push(line))
    expect(await link.client.ready()).toMatchObject({ ok: true })
    expect(said).toEqual(['lost the daemon; starting it again', 'the daemon is back'])
    expect(startedPids()).toHaveLength(2)
  })

  it('only waits for one that was stopped', async () => {
    const link = await linkToDeadDaemon(() => rm(join(home, 'daemon.json')))
    const said: string[] = []
    link.lost((line) => said.push(line))
    const asked = link.client.ready()
    await expect.poll(() => said).toEqual(['the daemon was stopped; waiting for it to come back'])
    expect(startedPids()).toHaveLength(1)
    expect(await ensureDaemon(needs(), home)).toMatchObject({ ok: true, value: { started: true } })
    expect(await asked).toMatchObject({ ok: true })
    expect(said.at(-1)).toBe('the daemon is back')
  })

  it('lets whoever waits for it leave', async () => {
    const link = await linkToDeadDaemon(() => rm(join(home, 'daemon.json')))
    link.lost(() => {})
    const leave = new AbortController()
    const asked = link.client.ready({ signal: leave.signal })
    leave.abort()
    expect(await asked).toMatchObject({ ok: false, failure: { status: 0 } })
    // Ends the search, which would go on for as long as a person may be patient.
    await ensureDaemon(needs(), home)
  })

  it('says why when there is none to be found', async () => {
    const link = openDaemonLink({ url: 'http://127.0.0.1:9', token: 'x' }, async () => {
      throw new Error('the disk is gone')
    })
    await ensureDaemon(needs(), home)
    link.lost(() => {})
    expect(await link.client.ready()).toMatchObject({ ok: false })
    expect(link.problem()).toMatchObject({
      exitCode: 5,
      message: expect.stringContaining('the disk is gone'),
    })
  })
})
