import { chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createHostTrial, killChild, startInChild } from '../../../../test/support/hosts/host-trial.ts'
import { createLocalHost } from './create-local-host.ts'

const NOBODY = 65_534

describe('a local host', () => {
  it('reports a missing program or directory and starts nothing', async () => {
    await using trial = await createHostTrial()
    const start = (command: [string], changes = {}) =>
      trial.host.start({ ...trial.request(''), command, ...changes })

    for (const program of ['no-such-program', './here', trial.path, '/etc/passwd']) {
      expect(await start([program])).toEqual({ ok: false, failure: { type: 'program-missing', program } })
    }
    expect(await start(['true'], { cwd: '/nowhere' })).toEqual({
      ok: false,
      failure: { type: 'directory-missing', directory: '/nowhere' },
    })
    expect(await trial.host.list()).toEqual([])
  })

  it('finds a program in the given PATH or by a path relative to its directory', async () => {
    await using trial = await createHostTrial()
    await mkdir(join(trial.path, 'tools'))
    await writeFile(join(trial.path, 'tools/greet'), '#!/bin/sh\necho "hello $1"\n', { mode: 0o755 })
    const environment = { PATH: join(trial.path, 'tools') }
    const byName = await trial.run('', { command: ['greet', 'by name'], environment })
    const byPath = await trial.run('', { command: ['tools/greet', 'by path'], environment: {} })

    await Promise.all([trial.end(byName), trial.end(byPath)])
    expect(await trial.text(byName, 'out')).toBe('hello by name\n')
    expect(await trial.text(byPath, 'out')).toBe('hello by path\n')
  })

  it('can stop, read and remove a session that does not exist', async () => {
    await using trial = await createHostTrial()
    const { hostId } = trial.request('')

    expect(await trial.host.inspect(hostId)).toEqual({ type: 'absent' })
    await trial.host.stop(hostId, 0)
    await trial.host.remove(hostId)
    expect(await trial.host.read(hostId, 'out', 0, 10)).toHaveLength(0)
    expect(await trial.host.truncated(hostId, 'err')).toBe(false)
  })

  it('never starts a session that was stopped before', async () => {
    await using trial = await createHostTrial()
    const request = trial.request('echo started')
    await trial.host.prepare(request.hostId)
    await trial.host.stop(request.hostId, 0)

    expect(await trial.host.start(request)).toMatchObject({
      ok: false,
      failure: { type: 'host-unstartable' },
    })
    expect(await trial.host.inspect(request.hostId)).toMatchObject({ type: 'lost' })
  })

  it('fails if the system refuses to start the host', async () => {
    await using trial = await createHostTrial()
    const request = trial.request('true', { environment: { HUGE: 'x'.repeat(4_000_000) } })
    expect(await trial.host.start(request)).toMatchObject({
      ok: false,
      failure: { type: 'host-unstartable' },
    })
  })

  it('reads at most the requested bytes from the requested offset', async () => {
    await using trial = await createHostTrial()
    const id = await trial.run('printf abcdefghij')
    await trial.end(id)
    const read = async (offset: number, limit: number) =>
      new TextDecoder().decode(await trial.host.read(id, 'out', offset, limit))

    expect([await read(0, 4), await read(4, 100), await read(10, 5), await read(99, 5)]).toEqual([
      'abcd',
      'efghij',
      '',
      '',
    ])
  })

  it('removes only sessions that have ended', async () => {
    await using trial = await createHostTrial()
    const id = await trial.run('exec sleep 600')
    await expect(trial.host.remove(id)).rejects.toThrow('is running')

    await trial.host.stop(id, 5_000)
    await trial.host.remove(id)
    expect(await trial.host.list()).toEqual([])
    expect(await trial.host.inspect(id)).toEqual({ type: 'absent' })
  })

  it('notifies a watcher if a host is killed without writing anything', async () => {
    await using trial = await createHostTrial()
    const id = await trial.run('echo up; exec sleep 600')
    await trial.printed(id, 'up')
    const snapshot = await trial.host.inspect(id)
    if (snapshot.type !== 'running') throw new Error('the session must be running')
    process.kill(snapshot.pid, 'SIGKILL')

    expect(await trial.end(id)).toMatchObject({ type: 'lost' })
  })

  it('does not notify a watcher that was disposed', async () => {
    await using trial = await createHostTrial()
    let calls = 0
    const id = await trial.run('while [ ! -e go ]; do sleep 0.05; done; seq 1 100')
    trial.host.watch(id, () => (calls += 1))[Symbol.dispose]()
    await writeFile(join(trial.path, 'go'), '')
    await trial.end(id)
    expect(calls).toBe(0)
  })

  it('does not mistake another process with the same PID for its own', async () => {
    await using trial = await createHostTrial()
    const stranger = await trial.run('exec sleep 600')
    const { hostId } = trial.request('')
    const directory = await trial.host.prepare(hostId)
    const record = await readFile(join(trial.host.directoryOf(stranger), 'pid'), 'utf8')
    await writeFile(join(directory, 'pid'), record.replaceAll(/ \d+@/g, ' 1@'))

    expect(await trial.host.inspect(hostId)).toMatchObject({ type: 'lost' })
    await trial.host.stop(hostId, 0)
    expect(await trial.host.inspect(stranger)).toMatchObject({ type: 'running' })
  })

  it('reports a session as lost after the machine was restarted', async () => {
    await using trial = await createHostTrial()
    const { hostId } = trial.request('')
    const directory = await trial.host.prepare(hostId)
    await writeFile(join(directory, 'pid'), 'host 4711 99@another-boot pid-namespace\n')
    expect(await trial.host.inspect(hostId)).toEqual({ type: 'lost', reason: 'the machine was restarted' })
  })

  it.skipIf(process.getuid?.() !== 0)('contains sessions of an ordinary user as firmly', async () => {
    await using trial = await createHostTrial()
    const hostsDirectory = join(trial.path, 'nobody')
    await mkdir(hostsDirectory)
    await chown(hostsDirectory, NOBODY, NOBODY)
    const script = `(trap "" TERM; setsid sleep 600 &) ; id -u; exec sleep 600`
    const request = trial.request(script, { cwd: '/' })
    const daemon = await startInChild({ hostsDirectory }, request, { uid: NOBODY, gid: NOBODY })
    const adopted = await createLocalHost({ hostsDirectory })
    try {
      expect(daemon.report).toMatchObject({ containment: trial.host.containment, started: { ok: true } })
    } finally {
      await killChild(daemon.process)
      await expect.poll(() => adopted.read(request.hostId, 'out', 0, 10)).not.toHaveLength(0)
      await adopted.stop(request.hostId, 2_000)
    }
    expect(await adopted.inspect(request.hostId)).toEqual({ type: 'signalled', signal: 15 })
    expect(await trial.survivors()).toEqual([])
  })
})
