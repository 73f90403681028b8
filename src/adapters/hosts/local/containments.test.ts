import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { containmentsHere } from '../../../../test/support/hosts/containments-here.ts'
import { createHostTrial, killChild, startInChild } from '../../../../test/support/hosts/host-trial.ts'
import { createLocalHost } from './create-local-host.ts'

for (const { containment, isMissing, name } of await containmentsHere()) {
  const policy = { level: containment }
  describe.skipIf(isMissing)(`a local host with containment ${name}`, () => {
    it('keeps all output in order and reports the exit code', async () => {
      await using trial = await createHostTrial({ policy })
      const id = await trial.run('seq 1 30000; seq 1 20000 >&2; exit 7')

      expect(await trial.end(id)).toEqual({ type: 'exited', code: 7 })
      expect((await trial.text(id, 'out')).trimEnd().split('\n')).toEqual(numbersTo(30_000))
      expect((await trial.text(id, 'err')).trimEnd().split('\n')).toEqual(numbersTo(20_000))
      expect(await trial.host.truncated(id, 'out')).toBe(false)
    })

    it.each([
      ['exit 0', { type: 'exited', code: 0 }],
      // In a namespace, the host trusts nothing that the program could write, so it can't distinguish the two.
      [
        'exit 143',
        containment === 'process-group' ? { type: 'exited', code: 143 } : { type: 'signalled', signal: 15 },
      ],
      ['kill -TERM $$', { type: 'signalled', signal: 15 }],
      ['kill -KILL $$', { type: 'signalled', signal: 9 }],
      ['kill -INT $$', { type: 'signalled', signal: 2 }],
      ['kill -KILL 0', { type: 'signalled', signal: 9 }],
      ['exec /nowhere/at-all', { type: 'exited', code: 127 }],
    ])('reports how the script `%s` ended', async (script, expected) => {
      await using trial = await createHostTrial({ policy })
      expect(await trial.end(await trial.run(script))).toEqual(expected)
    })

    it('shows a line while the program is running', async () => {
      await using trial = await createHostTrial({ policy })
      const id = await trial.run('echo early; while [ ! -e go ]; do sleep 0.05; done; echo late')

      await trial.printed(id, 'early\n')
      expect(await trial.host.inspect(id)).toMatchObject({ type: 'running', containment })
      await writeFile(join(trial.path, 'go'), '')
      await trial.end(id)
      expect(await trial.text(id, 'out')).toBe('early\nlate\n')
    })

    it('starts the program in its directory with exactly its environment', async () => {
      await using trial = await createHostTrial({ policy })
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

    it('lets the program receive interrupts', async () => {
      await using trial = await createHostTrial({ policy })
      const id = await trial.run('exec cat /proc/self/status')
      await trial.end(id)
      expect(await trial.text(id, 'out')).toMatch(/SigIgn:\s+0+\n/)
    })

    it('starts one program for many concurrent calls', async () => {
      await using trial = await createHostTrial({ policy })
      const request = trial.request('echo started >>count; while [ ! -e go ]; do sleep 0.05; done')
      const all = await Promise.all(Array.from({ length: 6 }, () => trial.host.start(request)))
      const again = await trial.host.start(request)

      expect(all.every((started) => started.ok)).toBe(true)
      expect(new Set([...all, again].map((started) => JSON.stringify(started))).size).toBe(1)
      await writeFile(join(trial.path, 'go'), '')
      expect(await trial.end(request.hostId)).toEqual({ type: 'exited', code: 0 })
      expect(await trial.host.start(request)).toEqual(again)
      expect(await readFile(join(trial.path, 'count'), 'utf8')).toBe('started\n')
    })

    it('starts one program for two daemons that start it at once, and both find it', async () => {
      await using trial = await createHostTrial({ policy })
      const request = trial.request('echo started >>count; echo up; exec sleep 600')
      const children = await Promise.all([1, 2].map(() => startInChild(trial.options, request)))
      await Promise.all(children.map((child) => killChild(child.process)))
      await trial.printed(request.hostId, 'up')
      await trial.host.stop(request.hostId, 5_000)
      await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])

      expect(children[0]?.report).toEqual(children[1]?.report)
      expect(children[0]?.report.started).toMatchObject({ ok: true })
      expect(await readFile(join(trial.path, 'count'), 'utf8')).toBe('started\n')
    })

    it('keeps a session running when the daemon dies, and the next daemon finds it', async () => {
      await using trial = await createHostTrial({ policy })
      const request = trial.request(
        'i=0; while [ ! -e go ]; do i=$((i+1)); echo $i; done; echo end $i; exit 5',
      )
      const daemon = await startInChild(trial.options, request)
      await killChild(daemon.process)

      const next = await createLocalHost(trial.options)
      expect(await next.inspect(request.hostId)).toMatchObject({ type: 'running', containment })
      expect(await next.list()).toEqual([request.hostId])
      await writeFile(join(trial.path, 'go'), '')
      expect(await trial.end(request.hostId)).toEqual({ type: 'exited', code: 5 })
      const lines = (await trial.text(request.hostId, 'out')).trimEnd().split('\n')
      expect(lines).toEqual([...numbersTo(lines.length - 1), `end ${lines.length - 1}`])
    })

    it('lets a program finish that prints more than the cap', async () => {
      await using trial = await createHostTrial({ policy })
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

    it('lets a program clean up when it is stopped', async () => {
      await using trial = await createHostTrial({ policy })
      const id = await trial.run('trap "echo bye; exit 3" TERM; echo up; while :; do sleep 0.05; done')
      await trial.printed(id, 'up')
      await trial.host.stop(id, 20_000)

      expect(await trial.host.inspect(id)).toEqual({ type: 'exited', code: 3 })
      expect(await trial.text(id, 'out')).toBe('up\nbye\n')
      expect(await trial.survivors()).toEqual([])
    })

    it('stops a program at any moment of its start', async () => {
      await using trial = await createHostTrial({ policy })
      for (let round = 0; round < 10; round += 1) {
        const request = trial.request('echo up; exec sleep 600')
        const starting = trial.host.start(request)
        await trial.host.stop(request.hostId, 5_000)
        await starting
        await trial.host.stop(request.hostId, 5_000)
        expect((await trial.host.inspect(request.hostId)).type).not.toBe('running')
      }
      await expect.poll(() => trial.survivors(), { timeout: 10_000 }).toEqual([])
    })

    it('ends a session after too long without a daemon, but not before', async () => {
      await using trial = await createHostTrial({ policy, awayMinutes: 1 / 60, napSeconds: 0.2 })
      const id = await trial.run('trap "" TERM; while :; do sleep 0.1; done')
      for (let beat = 0; beat < 6; beat += 1) {
        await trial.host.beat()
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
      expect(await trial.host.inspect(id)).toMatchObject({ type: 'running' })
      expect(await trial.end(id)).toMatchObject({
        type: 'lost',
        reason: expect.stringContaining('no daemon'),
      })
      await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
    })

    it('leaves no process behind when the program ends', async () => {
      await using trial = await createHostTrial({ policy })
      const ids = await Promise.all(Array.from({ length: 5 }, () => trial.run('echo done')))
      await Promise.all(ids.map((id) => trial.end(id)))
      await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
    })

    it('runs twenty sessions at once', async () => {
      await using trial = await createHostTrial({ policy })
      const codes = Array.from({ length: 20 }, (_, index) => index)
      const script = (code: number) => `while [ ! -e go ]; do sleep 0.2; done; seq 1 500; exit ${code}`
      const ids = await Promise.all(codes.map((code) => trial.run(script(code))))
      const snapshots = await Promise.all(ids.map((id) => trial.host.inspect(id)))
      await writeFile(join(trial.path, 'go'), '')

      expect(new Set(snapshots.map((snapshot) => snapshot.type))).toEqual(new Set(['running']))
      const ends = await Promise.all(ids.map((id) => trial.end(id)))
      expect(ends).toEqual(codes.map((code) => ({ type: 'exited', code })))
      for (const id of ids) expect((await trial.text(id, 'out')).split('\n')).toHaveLength(501)
      await expect.poll(() => trial.survivors(), { timeout: 10_000 }).toEqual([])
    })
  })
}

function numbersTo(last: number): readonly string[] {
  return Array.from({ length: last }, (_, index) => String(index + 1))
}
