import { chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { processesWith } from '../../../../test/support/processes.ts'
import { temporaryDirectory } from '../../../../test/support/temporary-directory.ts'
import { createLocalHost, type LocalHostOptions } from './create-local-host.ts'
import { createHostTrial, killChild, startInChild } from './testing/host-trial.ts'

const NOBODY = 65_534

describe.each(['pid-namespace', 'process-group'] as const)(
  'a local host with containment %s',
  (containment) => {
    it('keeps both streams whole and in order, and tells the exit code', async () => {
      await using trial = await createTrial({ containment })
      const id = await trial.run('seq 1 30000; seq 1 20000 >&2; exit 7')

      expect(await trial.end(id)).toEqual({ type: 'exited', code: 7 })
      expect((await trial.text(id, 'out')).trimEnd().split('\n')).toEqual(numbersTo(30_000))
      expect((await trial.text(id, 'err')).trimEnd().split('\n')).toEqual(numbersTo(20_000))
      expect(await trial.host.truncated(id, 'out')).toBe(false)
    })

    it.each([
      ['exit 0', { type: 'exited', code: 0 }],
      ['exit 143', { type: 'exited', code: 143 }],
      ['kill -TERM $$', { type: 'signalled', signal: 15 }],
      ['kill -KILL $$', { type: 'signalled', signal: 9 }],
      ['kill -INT $$', { type: 'signalled', signal: 2 }],
      ['kill -KILL 0', { type: 'signalled', signal: 9 }],
      ['exec /nowhere/at-all', { type: 'exited', code: 127 }],
    ])('tells how the script `%s` ended', async (script, expected) => {
      await using trial = await createTrial({ containment })
      expect(await trial.end(await trial.run(script))).toEqual(expected)
    })

    it('shows a line while the program goes on', async () => {
      await using trial = await createTrial({ containment })
      const id = await trial.run('echo early; while [ ! -e go ]; do sleep 0.05; done; echo late')

      await trial.printed(id, 'early\n')
      expect(await trial.host.look(id)).toMatchObject({ type: 'running', containment })
      await writeFile(join(trial.path, 'go'), '')
      await trial.end(id)
      expect(await trial.text(id, 'out')).toBe('early\nlate\n')
    })

    it('gives the program its directory, its environment and nothing else', async () => {
      await using trial = await createTrial({ containment })
      const environment = { PATH: '/usr/bin:/bin', TRIAL: trial.path, ODD: "two\nlines 'and' $more" }
      const id = await trial.run('unset _ OLDPWD; pwd; wc -c; exec env -0', { environment })
      await trial.end(id)

      const [directory, inputSize, ...rest] = (await trial.text(id, 'out')).split('\n')
      expect([directory, inputSize]).toEqual([trial.path, '0'])
      const variables = rest.join('\n').split('\0').filter(Boolean)
      expect(Object.fromEntries(variables.map((pair) => pair.split(/=(.*)/s).slice(0, 2)))).toEqual({
        ...environment,
        PWD: trial.path,
      })
    })

    it('leaves interrupts as a program expects them', async () => {
      await using trial = await createTrial({ containment })
      const id = await trial.run('exec cat /proc/self/status')
      await trial.end(id)
      expect(await trial.text(id, 'out')).toMatch(/SigIgn:\s+0+\n/)
    })

    it('starts one program however often it is asked at once', async () => {
      await using trial = await createTrial({ containment })
      const request = trial.request('echo started >>count; while [ ! -e go ]; do sleep 0.05; done')
      const all = await Promise.all(Array.from({ length: 6 }, () => trial.host.start(request)))
      const again = await trial.host.start(request)

      expect(all.every((started) => started.ok)).toBe(true)
      expect(new Set([...all, again].map((started) => JSON.stringify(started))).size).toBe(1)
      await writeFile(join(trial.path, 'go'), '')
      expect(await trial.end(request.sessionId)).toEqual({ type: 'exited', code: 0 })
      expect(await trial.host.start(request)).toEqual(again)
      expect(await readFile(join(trial.path, 'count'), 'utf8')).toBe('started\n')
    })

    it('starts one program for two processes that ask at once, and both learn which', async () => {
      await using trial = await createTrial({ containment })
      const request = trial.request('echo started >>count; echo up; exec sleep 600')
      const children = await Promise.all([1, 2].map(() => startInChild(trial.options, request)))
      await Promise.all(children.map((child) => killChild(child.process)))
      await trial.printed(request.sessionId, 'up')
      await trial.host.stop(request.sessionId, 5_000)
      await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])

      expect(children[0]?.report).toEqual(children[1]?.report)
      expect(children[0]?.report.started).toMatchObject({ ok: true })
      expect(await readFile(join(trial.path, 'count'), 'utf8')).toBe('started\n')
    })

    it('outlives the process that started it and is found again by the next', async () => {
      await using trial = await createTrial({ containment })
      const request = trial.request(
        'i=0; while [ ! -e go ]; do i=$((i+1)); echo $i; done; echo end $i; exit 5',
      )
      const daemon = await startInChild(trial.options, request)
      await killChild(daemon.process)

      const next = await createLocalHost(trial.options)
      expect(await next.look(request.sessionId)).toMatchObject({ type: 'running', containment })
      expect(await next.list()).toEqual([request.sessionId])
      await writeFile(join(trial.path, 'go'), '')
      expect(await trial.end(request.sessionId)).toEqual({ type: 'exited', code: 5 })
      const lines = (await trial.text(request.sessionId, 'out')).trimEnd().split('\n')
      expect(lines).toEqual([...numbersTo(lines.length - 1), `end ${lines.length - 1}`])
    })

    it('lets a program finish that prints more than is kept', async () => {
      await using trial = await createTrial({ containment })
      const id = await trial.run('head -c 3000000 /dev/zero; echo x >&2; exit 9', {
        outputCapBytes: 1_000_000,
      })

      expect(await trial.end(id)).toEqual({ type: 'exited', code: 9 })
      const size = (await stat(join(trial.host.directoryOf(id), 'out'))).size
      expect(size).toBeLessThanOrEqual(1_000_000)
      expect(size).toBeGreaterThan(999_000)
      expect(await trial.host.truncated(id, 'out')).toBe(true)
      expect(await trial.host.truncated(id, 'err')).toBe(false)
    })

    it('lets a program that is asked to stop end in its own way', async () => {
      await using trial = await createTrial({ containment })
      const id = await trial.run('trap "echo bye; exit 3" TERM; echo up; while :; do sleep 0.05; done')
      await trial.printed(id, 'up')
      await trial.host.stop(id, 20_000)

      expect(await trial.host.look(id)).toEqual({ type: 'exited', code: 3 })
      expect(await trial.text(id, 'out')).toBe('up\nbye\n')
      expect(await trial.survivors()).toEqual([])
    })

    it('stops a program at any moment of its start', async () => {
      await using trial = await createTrial({ containment })
      for (let round = 0; round < 10; round += 1) {
        const request = trial.request('echo up; exec sleep 600')
        const starting = trial.host.start(request)
        await trial.host.stop(request.sessionId, 5_000)
        await starting
        await trial.host.stop(request.sessionId, 5_000)
        expect((await trial.host.look(request.sessionId)).type).not.toBe('running')
      }
      await expect.poll(() => trial.survivors(), { timeout: 10_000 }).toEqual([])
    })

    it('ends a session that no daemon asks after, and only then', async () => {
      await using trial = await createTrial({ containment, awayMinutes: 1 / 60, awayTickSeconds: 0.25 })
      const id = await trial.run('trap "" TERM; while :; do sleep 0.1; done')
      for (let beat = 0; beat < 8; beat += 1) {
        await trial.host.beat()
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
      expect(await trial.host.look(id)).toMatchObject({ type: 'running' })
      expect(await trial.end(id)).toMatchObject({
        type: 'lost',
        reason: expect.stringContaining('no daemon'),
      })
      await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
    })

    it('leaves no helper behind when the program ends', async () => {
      await using trial = await createTrial({ containment })
      const ids = await Promise.all(Array.from({ length: 5 }, () => trial.run('echo done')))
      await Promise.all(ids.map((id) => trial.end(id)))
      await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
    })

    it('runs fifty sessions at once', async () => {
      await using trial = await createTrial({ containment })
      const codes = Array.from({ length: 50 }, (_, index) => index)
      const script = (code: number) => `while [ ! -e go ]; do sleep 0.5; done; seq 1 500; exit ${code}`
      const ids = await Promise.all(codes.map((code) => trial.run(script(code))))
      const sights = await Promise.all(ids.map((id) => trial.host.look(id)))
      await writeFile(join(trial.path, 'go'), '')

      expect(new Set(sights.map((sight) => sight.type))).toEqual(new Set(['running']))
      const ends = await Promise.all(ids.map((id) => trial.end(id)))
      expect(ends).toEqual(codes.map((code) => ({ type: 'exited', code })))
      for (const id of ids) expect((await trial.text(id, 'out')).split('\n')).toHaveLength(501)
      await expect.poll(() => trial.survivors(), { timeout: 10_000 }).toEqual([])
    })
  },
)

describe('a local host', () => {
  it('says which program or directory is missing and starts nothing', async () => {
    await using trial = await createTrial()
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

  it('finds a program in the PATH it is given and by a path relative to its directory', async () => {
    await using trial = await createTrial()
    await mkdir(join(trial.path, 'tools'))
    await writeFile(join(trial.path, 'tools/greet'), '#!/bin/sh\necho "hello $1"\n', { mode: 0o755 })
    const environment = { PATH: join(trial.path, 'tools') }
    const byName = await trial.run('', { command: ['greet', 'by name'], environment })
    const byPath = await trial.run('', { command: ['tools/greet', 'by path'], environment: {} })

    await Promise.all([trial.end(byName), trial.end(byPath)])
    expect(await trial.text(byName, 'out')).toBe('hello by name\n')
    expect(await trial.text(byPath, 'out')).toBe('hello by path\n')
  })

  it('treats an absent session as one with nothing to stop, read or remove', async () => {
    await using trial = await createTrial()
    const { sessionId } = trial.request('')

    expect(await trial.host.look(sessionId)).toEqual({ type: 'absent' })
    await trial.host.stop(sessionId, 0)
    await trial.host.remove(sessionId)
    expect(await trial.host.read(sessionId, 'out', 0, 10)).toHaveLength(0)
    expect(await trial.host.truncated(sessionId, 'err')).toBe(false)
  })

  it('never starts a session that was stopped first', async () => {
    await using trial = await createTrial()
    const request = trial.request('echo started')
    await trial.host.prepare(request.sessionId)
    await trial.host.stop(request.sessionId, 0)

    expect(await trial.host.start(request)).toMatchObject({
      ok: false,
      failure: { type: 'host-unstartable' },
    })
    expect(await trial.host.look(request.sessionId)).toMatchObject({ type: 'lost' })
  })

  it('answers with a failure when the system refuses to start the host', async () => {
    await using trial = await createTrial()
    const request = trial.request('true', { environment: { HUGE: 'x'.repeat(4_000_000) } })
    expect(await trial.host.start(request)).toMatchObject({
      ok: false,
      failure: { type: 'host-unstartable' },
    })
  })

  it('reads at most what is asked for, from where it is asked', async () => {
    await using trial = await createTrial()
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

  it('removes only what has ended', async () => {
    await using trial = await createTrial()
    const id = await trial.run('exec sleep 600')
    await expect(trial.host.remove(id)).rejects.toThrow('is running')

    await trial.host.stop(id, 5_000)
    await trial.host.remove(id)
    expect(await trial.host.list()).toEqual([])
    expect(await trial.host.look(id)).toEqual({ type: 'absent' })
  })

  it('tells a watcher that a host was killed, though nothing was written', async () => {
    await using trial = await createTrial()
    const id = await trial.run('echo up; exec sleep 600')
    await trial.printed(id, 'up')
    const sight = await trial.host.look(id)
    if (sight.type !== 'running') throw new Error('it must be running')
    process.kill(sight.pid, 'SIGKILL')

    expect(await trial.end(id)).toMatchObject({ type: 'lost' })
  })

  it('stops telling a watcher that has gone', async () => {
    await using trial = await createTrial()
    let calls = 0
    const id = await trial.run('while [ ! -e go ]; do sleep 0.05; done; seq 1 100')
    trial.host.watch(id, () => (calls += 1))[Symbol.dispose]()
    await writeFile(join(trial.path, 'go'), '')
    await trial.end(id)
    expect(calls).toBe(0)
  })

  it('never takes a stranger with the same pid for its own', async () => {
    await using trial = await createTrial()
    const stranger = await trial.run('exec sleep 600')
    const { sessionId } = trial.request('')
    const directory = await trial.host.prepare(sessionId)
    const record = await readFile(join(trial.host.directoryOf(stranger), 'pid'), 'utf8')
    await writeFile(join(directory, 'pid'), record.replaceAll(/ \d+@/g, ' 1@'))

    expect(await trial.host.look(sessionId)).toMatchObject({ type: 'lost' })
    await trial.host.stop(sessionId, 0)
    expect(await trial.host.look(stranger)).toMatchObject({ type: 'running' })
  })

  it('says that a session was lost with the machine it ran on', async () => {
    await using trial = await createTrial()
    const { sessionId } = trial.request('')
    const directory = await trial.host.prepare(sessionId)
    await writeFile(join(directory, 'pid'), 'host 4711 99@another-boot pid-namespace\n')
    expect(await trial.host.look(sessionId)).toEqual({ type: 'lost', reason: 'the machine was restarted' })
  })

  it.skipIf(process.getuid?.() !== 0)('holds sessions as firmly for an ordinary user', async () => {
    await using trial = await createTrial()
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
      await expect.poll(() => adopted.read(request.sessionId, 'out', 0, 10)).not.toHaveLength(0)
      await adopted.stop(request.sessionId, 2_000)
    }
    expect(await adopted.look(request.sessionId)).toEqual({ type: 'signalled', signal: 15 })
    expect(await trial.survivors()).toEqual([])
  })
})

function numbersTo(last: number): readonly string[] {
  return Array.from({ length: last }, (_, index) => String(index + 1))
}

function createTrial(options: Partial<LocalHostOptions> = {}) {
  return createHostTrial({ temporaryDirectory, processesWith }, options)
}
