import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { containmentsHere } from '../../../../test/support/hosts/containments-here.ts'
import { createHostTrial, killChild, startInChild } from '../../../../test/support/hosts/host-trial.ts'
import { createLocalHost } from './create-local-host.ts'

const NOBODY = 65_534
const CROWD = 'i=0; while [ $i -lt 40 ]; do sleep 600 & i=$((i+1)); done; echo crowded; wait'
/** Reserves far more memory than it uses, as many agents do. */
const MODEST = 'new WebAssembly.Memory({ initial: 1, maximum: 65536 }); console.log("fine")'
const GREEDY = 'const kept = []; setInterval(() => kept.push(Buffer.alloc(20_000_000, 1)), 10)'

for (const { containment, isMissing, name } of await containmentsHere()) {
  describe.skipIf(isMissing)(`limits on a session with containment ${name}`, () => {
    it('end it if any of its processes uses too much memory', async () => {
      await using trial = await createHostTrial({ policy: { level: containment, memoryMb: 200 } })
      const id = await trial.run('"$NODE" -e "$GREEDY" & wait', {
        environment: { PATH: '/usr/bin:/bin', TRIAL: trial.path, NODE: process.execPath, GREEDY },
      })
      expect(await trial.end(id)).toMatchObject({
        type: 'lost',
        reason: expect.stringContaining('more memory'),
      })
      await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
    })

    it('do not end it if it only reserves much memory', async () => {
      await using trial = await createHostTrial({
        policy: { level: containment, memoryMb: 200, maxProcesses: 100 },
      })
      const id = await trial.run('', { command: [process.execPath, '-e', MODEST] })
      expect(await trial.end(id)).toEqual({ type: 'exited', code: 0 })
      expect(await trial.text(id, 'out')).toBe('fine\n')
    })

    it.skipIf(process.getuid?.() !== 0)('end it if root starts too many processes in it', async () => {
      await using trial = await createHostTrial({ policy: { level: containment, maxProcesses: 20 } })
      const id = await trial.run(CROWD)
      expect(await trial.end(id)).toMatchObject({
        type: 'lost',
        reason: expect.stringContaining('more processes'),
      })
      await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
    })

    it.skipIf(process.getuid?.() !== 0 || containment === 'process-group')(
      'keep an ordinary user from starting too many processes',
      async () => {
        await using trial = await createHostTrial({ policy: { level: containment, maxProcesses: 20 } })
        const hostsDirectory = join(trial.path, 'nobody')
        await mkdir(hostsDirectory)
        await chown(hostsDirectory, NOBODY, NOBODY)
        const request = trial.request(CROWD, { cwd: '/' })
        const daemon = await startInChild({ hostsDirectory }, request, { uid: NOBODY, gid: NOBODY })
        const adopted = await createLocalHost({ hostsDirectory })
        try {
          expect(daemon.report).toMatchObject({ started: { ok: true, value: { containment } } })
          const refusal = async () =>
            Buffer.from(await adopted.read(request.hostId, 'err', 0, 1_000)).toString()
          await expect.poll(refusal, { timeout: 10_000 }).toContain('fork')
        } finally {
          await killChild(daemon.process)
          await adopted.stop(request.hostId, 0)
        }
      },
    )
  })
}
