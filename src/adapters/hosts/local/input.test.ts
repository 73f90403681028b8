import { createHash } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { processesWith } from '../../../../test/support/processes.ts'
import { temporaryDirectory } from '../../../../test/support/temporary-directory.ts'
import type { HostId } from '../../../ports/session-host.ts'
import { createLocalHost, type LocalHost } from './create-local-host.ts'
import { containmentsHere } from './testing/containments-here.ts'
import { createHostTrial, killChild, startInChild, type TrialOptions } from './testing/host-trial.ts'

const ECHO = 'while read -r line; do echo "heard $line"; done; echo over'

for (const { containment, isMissing, name } of await containmentsHere()) {
  const policy = { level: containment }
  describe.skipIf(isMissing)(`what is said to a program that is held by ${name}`, () => {
    it('reaches it in order, what was written before its start as well as after', async () => {
      await using trial = await createTrial({ policy })
      const request = trial.request(ECHO, { hasInput: true })
      await trial.host.prepare(request.hostId)
      const said = await say(trial.host, request.hostId, 0, 'first\nsec')
      await trial.host.start(request)
      await trial.printed(request.hostId, 'heard first\n')
      const all = await say(trial.host, request.hostId, said, 'ond\nthird\n')
      await trial.printed(request.hostId, 'heard third\n')
      await say(trial.host, request.hostId, all, 'fourth\n')
      await trial.host.closeInput(request.hostId)

      expect(await trial.end(request.hostId)).toEqual({ type: 'exited', code: 0 })
      const expected = ['heard first', 'heard second', 'heard third', 'heard fourth', 'over', '']
      expect((await trial.text(request.hostId, 'out')).split('\n')).toEqual(expected)
      await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
    })

    it('reaches it once, though a daemon died and the next one says it again', async () => {
      await using trial = await createTrial({ policy })
      const request = trial.request(ECHO, { hasInput: true })
      const daemon = await startInChild(trial.options, request)
      const said = await say(trial.host, request.hostId, 0, 'one\ntwo\n')
      await trial.printed(request.hostId, 'heard two\n')
      await killChild(daemon.process)

      const next = await createLocalHost(trial.options)
      await say(next, request.hostId, 0, 'one\ntwo\n')
      await say(next, request.hostId, 4, 'two\n')
      await say(next, request.hostId, said, 'three\n')
      await next.closeInput(request.hostId)
      await trial.end(request.hostId)
      expect(await trial.text(request.hostId, 'out')).toBe('heard one\nheard two\nheard three\nover\n')
    })

    it('is heard when the daemon that wrote it died before it could tell', async () => {
      await using trial = await createTrial({ policy })
      const id = await trial.run(`echo up; ${ECHO}`, { hasInput: true })
      await trial.printed(id, 'up\n')
      await writeFile(join(trial.host.directoryOf(id), 'in'), 'unheard of\n')
      await createLocalHost(trial.options)
      await trial.printed(id, 'heard unheard of\n')
      await trial.host.stop(id, 0)
      await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
    })

    it('is whole at five megabytes for a slow reader, and ends where it was ended', async () => {
      await using trial = await createTrial({ policy })
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

    it('holds nobody up when the program never reads it', async () => {
      await using trial = await createTrial({ policy })
      const id = await trial.run('echo up; exec sleep 600', { hasInput: true })
      await trial.printed(id, 'up\n')
      const part = new Uint8Array(10_000).fill(10)
      for (let count = 0; count < 300; count += 1) await trial.host.write(id, count * part.length, part)
      await trial.host.closeInput(id)

      expect((await stat(join(trial.host.directoryOf(id), 'in'))).size).toBe(3_000_000)
      expect(await trial.host.look(id)).toMatchObject({ type: 'running', containment })
      await trial.host.stop(id, 5_000)
      expect(await trial.host.look(id)).toEqual({ type: 'signalled', signal: 15 })
      expect(await trial.survivors()).toEqual([])
    })

    it('is no matter to a program that ends or closes it before all was read', async () => {
      await using trial = await createTrial({ policy })
      const closing = await trial.run('exec <&-; echo closed; while [ ! -e go ]; do sleep 0.05; done', {
        hasInput: true,
      })
      const ending = await trial.run('read -r line; echo "heard $line"; exit 3', { hasInput: true })
      await trial.printed(closing, 'closed\n')
      const much = `first\n${'x'.repeat(200_000)}\n`
      await Promise.all([closing, ending].map((id) => say(trial.host, id, 0, much)))
      await writeFile(join(trial.path, 'go'), '')

      expect(await trial.end(ending)).toEqual({ type: 'exited', code: 3 })
      expect(await trial.end(closing)).toEqual({ type: 'exited', code: 0 })
      expect(await trial.text(ending, 'out')).toBe('heard first\n')
      await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
    })

    it('leaves no process when no daemon asks after the session any more', async () => {
      await using trial = await createTrial({ policy, awayMinutes: 1 / 60, awayTickSeconds: 0.25 })
      const id = await trial.run(ECHO, { hasInput: true })
      expect(await trial.end(id)).toMatchObject({ type: 'lost' })
      await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
    })

    it('leaves no process when the host alone is killed', async () => {
      await using trial = await createTrial({ policy })
      const id = await trial.run(`echo up; ${ECHO}`, { hasInput: true })
      await trial.printed(id, 'up\n')
      const sight = await trial.host.look(id)
      if (sight.type !== 'running') throw new Error('it must be running')
      process.kill(sight.pid, 'SIGKILL')

      // Without a namespace the program goes on, and so does what is said to it.
      if (containment === 'process-group') {
        await say(trial.host, id, 0, 'still there\n')
        await trial.printed(id, 'heard still there\n')
        await trial.host.stop(id, 5_000)
      }
      await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
      expect(await trial.host.look(id)).toMatchObject({ type: 'lost' })
    })
  })
}

describe('input', () => {
  it('is no error for a session that is not there, and makes none', async () => {
    await using trial = await createTrial()
    const { hostId } = trial.request('')
    await trial.host.write(hostId, 0, new Uint8Array([1]))
    await trial.host.closeInput(hostId)
    expect(await trial.host.list()).toEqual([])
  })

  it('is never shortened and never has a gap', async () => {
    await using trial = await createTrial()
    const { hostId } = trial.request('')
    const directory = await trial.host.prepare(hostId)
    await say(trial.host, hostId, 0, 'abcdef')
    await say(trial.host, hostId, 0, 'ab')
    expect(await readFile(join(directory, 'in'), 'utf8')).toBe('abcdef')
    await expect(say(trial.host, hostId, 7, 'x')).rejects.toThrow('gap')
  })

  it('reaches two hundred programs at once', async () => {
    await using trial = await createTrial()
    const ids = await Promise.all(
      Array.from({ length: 200 }, () =>
        trial.run('read -r line; echo "heard $line"; read -r line', { hasInput: true }),
      ),
    )
    await Promise.all(ids.map((id) => say(trial.host, id, 0, 'you\n')))
    await Promise.all(ids.map((id) => trial.printed(id, 'heard you\n')))
    await Promise.all(ids.map((id) => trial.host.closeInput(id)))
    await Promise.all(ids.map((id) => trial.end(id)))
    await expect.poll(() => trial.survivors(), { timeout: 10_000 }).toEqual([])
  })
})

/** Says a text from an offset on and tells where it ended. */
async function say(host: LocalHost, hostId: HostId, offset: number, text: string): Promise<number> {
  const bytes = new TextEncoder().encode(text)
  await host.write(hostId, offset, bytes)
  return offset + bytes.length
}

function createTrial(options: TrialOptions = {}) {
  return createHostTrial({ temporaryDirectory, processesWith }, options)
}
