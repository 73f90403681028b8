import { createHash } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { containmentsHere } from '../../../../test/support/hosts/containments-here.ts'
import { createHostTrial, killChild, startInChild } from '../../../../test/support/hosts/host-trial.ts'
import type { HostId } from '../../../ports/session-host.ts'
import { createLocalHost, type LocalHost } from './create-local-host.ts'

const ECHO = 'while read -r line; do echo "got $line"; done; echo end'

for (const { containment, isMissing, name } of await containmentsHere()) {
  const policy = { level: containment }
  describe.skipIf(isMissing)(`input for a program with containment ${name}`, () => {
    it('arrives in order, whether it was written before or after the start', async () => {
      await using trial = await createHostTrial({ policy })
      const request = trial.request(ECHO, { hasInput: true })
      await trial.host.prepare(request.hostId)
      const offset = await writeText(trial.host, request.hostId, 0, 'first\nsec')
      await trial.host.start(request)
      await trial.printed(request.hostId, 'got first\n')
      const all = await writeText(trial.host, request.hostId, offset, 'ond\nthird\n')
      await trial.printed(request.hostId, 'got third\n')
      await writeText(trial.host, request.hostId, all, 'fourth\n')
      await trial.host.closeInput(request.hostId)

      expect(await trial.end(request.hostId)).toEqual({ type: 'exited', code: 0 })
      const expected = ['got first', 'got second', 'got third', 'got fourth', 'end', '']
      expect((await trial.text(request.hostId, 'out')).split('\n')).toEqual(expected)
      await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
    })

    it('arrives once, even if the next daemon writes it again', async () => {
      await using trial = await createHostTrial({ policy })
      const request = trial.request(ECHO, { hasInput: true })
      const daemon = await startInChild(trial.options, request)
      const offset = await writeText(trial.host, request.hostId, 0, 'one\ntwo\n')
      await trial.printed(request.hostId, 'got two\n')
      await killChild(daemon.process)

      const next = await createLocalHost(trial.options)
      await writeText(next, request.hostId, 0, 'one\ntwo\n')
      await writeText(next, request.hostId, 4, 'two\n')
      await writeText(next, request.hostId, offset, 'three\n')
      await next.closeInput(request.hostId)
      await trial.end(request.hostId)
      expect(await trial.text(request.hostId, 'out')).toBe('got one\ngot two\ngot three\nend\n')
    })

    it('arrives even if the daemon died before it could wake the feeder', async () => {
      await using trial = await createHostTrial({ policy })
      const id = await trial.run(`echo up; ${ECHO}`, { hasInput: true })
      await trial.printed(id, 'up\n')
      await writeFile(join(trial.host.directoryOf(id), 'in'), 'from a dead daemon\n')
      await createLocalHost(trial.options)
      await trial.printed(id, 'got from a dead daemon\n')
      await trial.host.stop(id, 0)
      await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
    })

    it('arrives completely if it is large and the program reads slowly', async () => {
      await using trial = await createHostTrial({ policy })
      const script = 'i=0; while [ $i -lt 20 ]; do head -c 50000; sleep 0.01; i=$((i+1)); done; exec cat'
      const id = await trial.run(`(${script}) | sha256sum`, { hasInput: true })
      const line = Buffer.from(`${'0123456789abcdef'.repeat(64)}\n`)
      const whole = Buffer.concat(Array.from({ length: 5_000 }, () => line))
      for (let offset = 0; offset < whole.length; offset += 100_000) {
        await trial.host.write(id, offset, whole.subarray(offset, offset + 100_000))
      }
      await Promise.all([trial.host.closeInput(id), trial.host.closeInput(id)])
      await trial.host.closeInput(id)

      expect(await trial.end(id)).toEqual({ type: 'exited', code: 0 })
      expect(await trial.text(id, 'out')).toContain(createHash('sha256').update(whole).digest('hex'))
    })

    it('never blocks the daemon if the program does not read it', async () => {
      await using trial = await createHostTrial({ policy })
      const id = await trial.run('echo up; exec sleep 600', { hasInput: true })
      await trial.printed(id, 'up\n')
      const part = new Uint8Array(10_000).fill(10)
      for (let count = 0; count < 300; count += 1) await trial.host.write(id, count * part.length, part)
      await trial.host.closeInput(id)

      expect((await stat(join(trial.host.directoryOf(id), 'in'))).size).toBe(3_000_000)
      expect(await trial.host.inspect(id)).toMatchObject({ type: 'running', containment })
      await trial.host.stop(id, 5_000)
      expect(await trial.host.inspect(id)).toEqual({ type: 'signalled', signal: 15 })
      expect(await trial.survivors()).toEqual([])
    })

    it('does no harm if the program ends or closes it early', async () => {
      await using trial = await createHostTrial({ policy })
      const closing = await trial.run('exec <&-; echo closed; while [ ! -e go ]; do sleep 0.05; done', {
        hasInput: true,
      })
      const ending = await trial.run('read -r line; echo "got $line"; exit 3', { hasInput: true })
      await trial.printed(closing, 'closed\n')
      const much = `first\n${'x'.repeat(200_000)}\n`
      await Promise.all([closing, ending].map((id) => writeText(trial.host, id, 0, much)))
      await writeFile(join(trial.path, 'go'), '')

      expect(await trial.end(ending)).toEqual({ type: 'exited', code: 3 })
      expect(await trial.end(closing)).toEqual({ type: 'exited', code: 0 })
      expect(await trial.text(ending, 'out')).toBe('got first\n')
      await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
    })

    it('leaves no process when the session ends without a daemon', async () => {
      await using trial = await createHostTrial({ policy, awayMinutes: 1 / 60, napSeconds: 0.25 })
      const id = await trial.run(ECHO, { hasInput: true })
      expect(await trial.end(id)).toMatchObject({ type: 'lost' })
      await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
    })

    it('leaves no process when only the host is killed', async () => {
      await using trial = await createHostTrial({ policy })
      const id = await trial.run(`echo up; ${ECHO}`, { hasInput: true })
      await trial.printed(id, 'up\n')
      const snapshot = await trial.host.inspect(id)
      if (snapshot.type !== 'running') throw new Error('the session must be running')
      process.kill(snapshot.pid, 'SIGKILL')

      // Without a namespace, the program keeps running and still gets its input.
      if (containment === 'process-group') {
        await writeText(trial.host, id, 0, 'still there\n')
        await trial.printed(id, 'got still there\n')
        await trial.host.stop(id, 5_000)
      }
      await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
      expect(await trial.host.inspect(id)).toMatchObject({ type: 'lost' })
    })
  })
}

describe('input', () => {
  it('is ignored for a session that does not exist', async () => {
    await using trial = await createHostTrial()
    const { hostId } = trial.request('')
    await trial.host.write(hostId, 0, new Uint8Array([1]))
    await trial.host.closeInput(hostId)
    expect(await trial.host.list()).toEqual([])
  })

  it('is never shortened and never has a gap', async () => {
    await using trial = await createHostTrial()
    const { hostId } = trial.request('')
    const directory = await trial.host.prepare(hostId)
    await writeText(trial.host, hostId, 0, 'abcdef')
    await writeText(trial.host, hostId, 0, 'ab')
    expect(await readFile(join(directory, 'in'), 'utf8')).toBe('abcdef')
    await expect(writeText(trial.host, hostId, 7, 'x')).rejects.toThrow('gap')
  })

  it('reaches fifty programs at once', async () => {
    await using trial = await createHostTrial()
    const ids = await Promise.all(
      Array.from({ length: 50 }, () =>
        trial.run('read -r line; echo "got $line"; read -r line', { hasInput: true }),
      ),
    )
    await Promise.all(ids.map((id) => writeText(trial.host, id, 0, 'you\n')))
    await Promise.all(ids.map((id) => trial.printed(id, 'got you\n')))
    await Promise.all(ids.map((id) => trial.host.closeInput(id)))
    await Promise.all(ids.map((id) => trial.end(id)))
    await expect.poll(() => trial.survivors(), { timeout: 10_000 }).toEqual([])
  })
})

/** Writes a text at an offset and returns the offset of its end. */
async function writeText(host: LocalHost, hostId: HostId, offset: number, text: string): Promise<number> {
  const bytes = new TextEncoder().encode(text)
  await host.write(hostId, offset, bytes)
  return offset + bytes.length
}
