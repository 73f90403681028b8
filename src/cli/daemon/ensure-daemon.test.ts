import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { probeDaemon } from '../../home/probe-daemon.ts'
import { createDaemonTrial } from '../testing/stand-in-daemon.ts'
import { endSilentDaemon } from './end-silent-daemon.ts'
import { type EnsureLimits, ensureDaemon } from './ensure-daemon.ts'
import { stopDaemon } from './stop-daemon.ts'

const LIMITS: EnsureLimits = { readyMs: 30_000, takeoverMs: 1_000, pauseMs: 100, silentMs: 1_000 }

const { path, home, needs, startedPids } = createDaemonTrial(temporaryDirectory)

describe('ensureDaemon', () => {
  it('starts a daemon with a private log, and finds it the next time', async () => {
    const first = await ensureDaemon(needs(), home(), LIMITS)
    expect(first).toMatchObject({ ok: true, value: { started: true, version: '9.9.9' } })
    expect((await stat(join(home(), 'logs', 'daemon.log'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(home(), 'logs'))).mode & 0o777).toBe(0o700)

    const quiet = needs()
    const second = await ensureDaemon(quiet, home(), LIMITS)
    expect(second).toMatchObject({ ok: true, value: { started: false } })
    expect(quiet.notes).toEqual([])
    expect(startedPids()).toHaveLength(1)
  })

  it('finds the same daemon for twenty commands at once', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => ensureDaemon(needs(), home(), LIMITS)))
    const pids = new Set(all.map((found) => (found.ok ? found.value.pid : found.failure.message)))
    expect([...pids]).toEqual([expect.any(Number)])
  })

  it('ignores a registration whose process is dead', async () => {
    await mkdir(home(), { recursive: true })
    const dead = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
    await once(dead, 'exit')
    await writeFile(
      join(home(), 'daemon.json'),
      JSON.stringify({ url: 'http://127.0.0.1:9', pid: dead.pid, startTime: '1', version: '1' }),
    )
    expect(await probeDaemon(home())).toEqual({ type: 'absent' })
    expect(await ensureDaemon(needs(), home(), LIMITS)).toMatchObject({ ok: true, value: { started: true } })
  })

  it('ignores a registration whose PID belongs to another program now', async () => {
    await mkdir(home(), { recursive: true })
    await writeFile(
      join(home(), 'daemon.json'),
      JSON.stringify({ url: 'http://127.0.0.1:9', pid: process.pid, startTime: '1', version: '1' }),
    )
    expect(await probeDaemon(home())).toEqual({ type: 'absent' })
  })

  it('ignores a damaged registration', async () => {
    await mkdir(home(), { recursive: true })
    await writeFile(join(home(), 'daemon.json'), '{"url": 7')
    expect(await ensureDaemon(needs(), home(), LIMITS)).toMatchObject({ ok: true })
  })

  it('reports the output of a daemon that fails to start, and what to try', async () => {
    await mkdir(join(home(), 'logs'), { recursive: true })
    await writeFile(join(home(), 'logs', 'daemon.log'), 'from an earlier start\n')
    const started = await ensureDaemon(needs('broken'), home(), LIMITS)
    expect(started).toEqual({
      ok: false,
      failure: {
        type: 'daemon-unstartable',
        exitCode: 5,
        message: 'the daemon could not be started: it exited with code 1',
        why: 'error: the database would not start',
        next: 'muster doctor',
      },
    })
  })

  it('fails if the program cannot be run', async () => {
    const absent = { ...needs(), program: [join(path(), 'absent')] as const }
    const started = await ensureDaemon(absent, home(), LIMITS)
    expect(started).toMatchObject({ ok: false, failure: { exitCode: 5, type: 'daemon-unstartable' } })
  })

  it('starts a daemon once a stopping one has released its lock', async () => {
    await mkdir(home(), { recursive: true })
    writeFileSync(join(home(), 'lock'), '')
    const asked = ensureDaemon(needs(), home(), LIMITS)
    await expect.poll(startedPids, { timeout: 20_000 }).toHaveLength(1)
    await rm(join(home(), 'lock'))
    expect(await asked).toMatchObject({ ok: true, value: { started: true } })
  })

  it('gives up on a daemon that holds the lock and never answers', async () => {
    await mkdir(home(), { recursive: true })
    writeFileSync(join(home(), 'lock'), '')
    const asked = await ensureDaemon(needs(), home(), {
      ...LIMITS,
      readyMs: 1_500,
      takeoverMs: 60_000,
    })
    expect(asked).toMatchObject({ ok: false, failure: { type: 'daemon-silent', exitCode: 5 } })
  })

  it('explains why a home cannot be used', async () => {
    await writeFile(home(), 'a file')
    const refused = await ensureDaemon(needs(), home(), LIMITS)
    expect(refused).toMatchObject({
      ok: false,
      failure: { type: 'home-unusable', exitCode: 5, why: expect.stringContaining('a file is in the way') },
    })
    expect(startedPids()).toEqual([])
  })

  it('fails if the daemon does not accept the token', async () => {
    const refused = await ensureDaemon(needs('strict'), home(), LIMITS)
    expect(refused).toMatchObject({ ok: false, failure: { type: 'token-refused', exitCode: 4 } })
  })
})

describe('a daemon that is running and does not answer', () => {
  async function frozenDaemon(): Promise<number> {
    const started = await ensureDaemon(needs(), home(), LIMITS)
    if (!started.ok) throw new Error(started.failure.message)
    process.kill(started.value.pid, 'SIGSTOP')
    return started.value.pid
  }

  it('is reported with its process, and no other one is started', async () => {
    const pid = await frozenDaemon()
    const asking = needs()
    expect(await ensureDaemon(asking, home(), LIMITS)).toMatchObject({
      ok: false,
      failure: {
        type: 'daemon-hangs',
        exitCode: 5,
        message: `the daemon (process ${pid}) is running, but has not answered for 1 s`,
        why: expect.stringMatching(/it has been running since \d{4}-.*; it last wrote to its log at \d{4}-/),
        next: expect.stringContaining('muster shutdown'),
      },
    })
    expect(asking.notes).not.toContainEqual(expect.stringContaining('starting the daemon'))
    expect(startedPids()).toEqual([pid])
  })

  it('is used again as soon as it answers', async () => {
    const pid = await frozenDaemon()
    const note = () => process.kill(pid, 'SIGCONT')
    const found = await ensureDaemon({ ...needs(), note }, home(), { ...LIMITS, silentMs: 30_000 })
    expect(found).toMatchObject({ ok: true, value: { pid, started: false } })
  })

  it('is ended with SIGKILL if SIGTERM has no effect', async () => {
    const pid = await frozenDaemon()
    expect(await endSilentDaemon(home(), 300)).toEqual({ ok: true, value: undefined })
    expect(await probeDaemon(home())).toEqual({ type: 'absent' })
    expect(startedPids()).toEqual([pid])
  })

  it('is left alone if its start time is not known', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    try {
      await mkdir(home(), { recursive: true })
      const file = { url: 'http://127.0.0.1:9', pid: other.pid, startTime: '2026-01-01T00:00:00Z' }
      await writeFile(join(home(), 'daemon.json'), JSON.stringify(file))
      expect(await endSilentDaemon(home(), 300)).toMatchObject({ failure: { type: 'daemon-unproven' } })
      expect(other.exitCode ?? other.signalCode).toBe(null)
    } finally {
      other.kill('SIGKILL')
    }
  })
})

describe('stopDaemon', () => {
  it('returns when the process has exited', async () => {
    const started = await ensureDaemon(needs(), home(), LIMITS)
    if (!started.ok) throw new Error(started.failure.message)
    const { client, pid } = started.value
    expect(await stopDaemon(home(), client, pid)).toEqual({ ok: true, value: undefined })
    // The process table may list it a moment longer.
    await expect.poll(() => probeDaemon(home())).toEqual({ type: 'absent' })
    expect(readdirSync(home())).not.toContain('lock')
    expect(await readFile(join(home(), 'starts'), 'utf8')).toBe(`${pid}\n`)
  })
})
