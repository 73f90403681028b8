import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { success } from '../../domain/result.ts'
import { isSameProcess } from '../../home/process-identity.ts'
import { createDaemonTrial, kill } from '../testing/stand-in-daemon.ts'
import { openDaemonLink } from './daemon-link.ts'
import { ensureDaemon } from './ensure-daemon.ts'
import { findHomeDaemon, reviveHomeDaemon } from './find-daemon-again.ts'

const { home, needs, startedPids } = createDaemonTrial(temporaryDirectory)

/** Starts a daemon, kills it, and returns a link to it. */
async function linkToDeadDaemon(before: () => Promise<void>, mode?: string) {
  const started = await ensureDaemon(needs(), home())
  if (!started.ok) throw new Error(started.failure.message)
  const { client, token, pid } = started.value
  await before()
  kill(pid)
  await expect.poll(() => isSameProcess(pid, undefined)).toBe(false)
  // The kernel releases a real daemon's lock when its process dies.
  await rm(join(home(), 'lock'))
  const place = { url: client.url, token }
  const notes: string[] = []
  return {
    ...openDaemonLink(place, (say) => findHomeDaemon(needs(mode), home(), say)),
    notes,
    /** A link that repeats requests. */
    repeating: openDaemonLink(
      place,
      (say) => findHomeDaemon(needs(mode), home(), say),
      () => reviveHomeDaemon(needs(mode), home(), (line) => notes.push(line)),
    ),
  }
}

describe('a link to a lost daemon', () => {
  it('restarts a daemon that was killed, reports it, and uses the new one', async () => {
    const link = await linkToDeadDaemon(async () => {})
    expect(await link.client.ready()).toMatchObject({ ok: false, failure: { status: 0 } })
    const lines: string[] = []
    link.lost((line) => lines.push(line))
    expect(await link.client.ready()).toMatchObject({ ok: true })
    expect(lines).toEqual(['lost the daemon; starting it again', 'the daemon is back'])
    expect(startedPids()).toHaveLength(2)
  })

  it('starts a daemon again that was killed while it started', async () => {
    const link = await linkToDeadDaemon(async () => {}, 'killed-until-4')
    const lines: string[] = []
    link.lost((line) => lines.push(line))
    expect(await link.client.ready()).toMatchObject({ ok: true })
    expect(lines).toEqual(['lost the daemon; starting it again', 'the daemon is back'])
    expect(startedPids()).toHaveLength(4)
  })

  it('gives up once three daemons in a row were killed while they started', async () => {
    const link = await linkToDeadDaemon(async () => {}, 'killed-until-9')
    link.lost(() => {})
    await link.client.ready()
    expect(link.problem()).toMatchObject({
      type: 'daemon-killed',
      exitCode: 5,
      message: 'the daemon could not be started: it was killed by SIGKILL',
    })
    expect(startedPids()).toHaveLength(4)
  })

  it('only waits for a daemon that was stopped', async () => {
    const link = await linkToDeadDaemon(() => rm(join(home(), 'daemon.json')))
    const lines: string[] = []
    link.lost((line) => lines.push(line))
    const asked = link.client.ready()
    await expect.poll(() => lines).toEqual(['the daemon was stopped; waiting for it to come back'])
    expect(startedPids()).toHaveLength(1)
    expect(await ensureDaemon(needs(), home())).toMatchObject({ ok: true, value: { started: true } })
    expect(await asked).toMatchObject({ ok: true })
    expect(lines.at(-1)).toBe('the daemon is back')
  })

  it('stops waiting when the caller aborts', async () => {
    const link = await linkToDeadDaemon(() => rm(join(home(), 'daemon.json')))
    link.lost(() => {})
    const leave = new AbortController()
    const asked = link.client.ready({ signal: leave.signal })
    leave.abort()
    expect(await asked).toMatchObject({ ok: false, failure: { status: 0 } })
    // Ends the search, which would otherwise continue for two minutes.
    await ensureDaemon(needs(), home())
  })

  it('reports why no daemon could be found', async () => {
    const link = openDaemonLink({ url: 'http://127.0.0.1:9', token: 'x' }, async () => {
      throw new Error('the disk is gone')
    })
    await ensureDaemon(needs(), home())
    link.lost(() => {})
    expect(await link.client.ready()).toMatchObject({ ok: false })
    expect(link.problem()).toMatchObject({
      exitCode: 5,
      message: expect.stringContaining('the disk is gone'),
    })
  })
})

describe('a link that repeats requests', () => {
  it('repeats reads on a daemon that it starts again, without a word if that is quick', async () => {
    const { repeating, notes } = await linkToDeadDaemon(async () => {})
    const both = await Promise.all([repeating.client.ready(), repeating.client.ready()])
    expect(both).toMatchObject([{ ok: true }, { ok: true }])
    expect(notes).toEqual([])
    expect(startedPids()).toHaveLength(2)
  })

  it('repeats a write with an idempotency key, but no other write', async () => {
    const { repeating } = await linkToDeadDaemon(async () => {})
    const message = { to: 'ses_1', body: 'hello' } as never
    expect(await repeating.client.sendMessage(message)).toMatchObject({ failure: { status: 0 } })
    expect(startedPids()).toHaveLength(1)
    // The stand-in answers, though not as this route does.
    expect(await repeating.client.sendMessage(message, { idempotencyKey: 'one' })).toMatchObject({
      failure: { type: 'bad-answer' },
    })
    expect(startedPids()).toHaveLength(2)
  })

  it('does not wait for a daemon that was stopped', async () => {
    const { repeating } = await linkToDeadDaemon(() => rm(join(home(), 'daemon.json')))
    expect(await repeating.client.ready()).toMatchObject({ ok: false, failure: { status: 0 } })
    expect(startedPids()).toHaveLength(1)
  })

  it('fails with the reason if no daemon can be started', async () => {
    const { repeating } = await linkToDeadDaemon(async () => {}, 'broken')
    expect(await repeating.client.ready()).toMatchObject({
      failure: { status: 0, message: expect.stringContaining('the daemon could not be started') },
    })
    expect(repeating.problem()).toBeDefined()
  })

  it('stops repeating a request that the daemon never survives', async () => {
    let revived = 0
    // Nothing listens at this port.
    const nowhere = { url: 'http://127.0.0.1:9', token: 'x' }
    const link = openDaemonLink(
      nowhere,
      async () => success(nowhere),
      async () => {
        revived += 1
        return success(nowhere)
      },
    )
    expect(await link.client.ready()).toMatchObject({ ok: false, failure: { status: 0 } })
    expect(revived).toBe(2)
  })
})
