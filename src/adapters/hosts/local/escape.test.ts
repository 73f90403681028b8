import { describe, expect, it } from 'vitest'
import { processesWith } from '../../../../test/support/processes.ts'
import { temporaryDirectory } from '../../../../test/support/temporary-directory.ts'
import { containmentsHere } from './testing/containments-here.ts'
import { createHostTrial, type TrialOptions } from './testing/host-trial.ts'

/** Leaves its group and session twice over, ignores being asked, and closes nothing it inherited. */
const ESCAPE = `
trap "" TERM INT HUP
setsid sh -c 'trap "" TERM INT HUP; (setsid sleep 600 >/dev/null 2>&1 & ) ; echo escaped; : >escaped; sleep 600' &
sleep 600 &
`
/** Two hundred in all over the two containments that promise it. */
const TRIALS = 100
const AT_ONCE = 10

for (const { containment, isMissing, name } of await containmentsHere()) {
  if (containment === 'process-group') continue
  const policy = { level: containment }
  describe.skipIf(isMissing)(`a program that tries to leave something behind, held by ${name}`, () => {
    it('leaves nothing when it is stopped', async () => {
      await using trial = await createTrial({ policy })
      for (let count = 0; count < TRIALS; count += AT_ONCE) {
        const ids = await inParallel(() =>
          trial.run(`${ESCAPE} while :; do sleep 1; done`, { hasInput: count % 20 === 0 }),
        )
        await Promise.all(ids.map((id) => trial.printed(id, 'escaped')))
        expect((await trial.survivors()).length).toBeGreaterThan(4 * AT_ONCE)

        await Promise.all(ids.map((id) => trial.host.stop(id, 10)))
        expect(await trial.survivors()).toEqual([])
        const sights = await Promise.all(ids.map((id) => trial.host.look(id)))
        expect(sights).toEqual(ids.map(() => ({ type: 'signalled', signal: 9 })))
      }
    })

    it('leaves nothing when it ends by itself', async () => {
      await using trial = await createTrial({ policy })
      const ids = await inParallel(() =>
        trial.run(`${ESCAPE} while [ ! -e escaped ]; do sleep 0.01; done; exit 4`),
      )
      const ends = await Promise.all(ids.map((id) => trial.end(id)))
      expect(ends).toEqual(ids.map(() => ({ type: 'exited', code: 4 })))
      await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
    })

    it('cannot forge how it ended, nor keep its host from telling', async () => {
      await using trial = await createTrial({ policy })
      // What the first process of the sandbox has open can be opened again, also for writing.
      const forge =
        'for fd in /proc/1/fd/*; do case $(readlink "$fd") in */end | */death) printf "begun\\n0\\n" > "$fd"; esac; done'
      const id = await trial.run(`(${forge}) 2>/dev/null; exit 7`)
      expect(await trial.end(id)).toEqual({ type: 'exited', code: 7 })
    })

    it('leaves nothing when its host is killed', async () => {
      await using trial = await createTrial({ policy })
      const ids = await inParallel(() => trial.run(`${ESCAPE} while :; do sleep 1; done`, { hasInput: true }))
      for (const id of ids) {
        await trial.printed(id, 'escaped')
        const sight = await trial.host.look(id)
        if (sight.type !== 'running') throw new Error('it must be running')
        process.kill(sight.pid, 'SIGKILL')
      }
      await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
      const sights = await Promise.all(ids.map((id) => trial.host.look(id)))
      expect(new Set(sights.map((sight) => sight.type))).toEqual(new Set(['lost']))
    })
  })
}

describe('a program that tries to leave something behind where there is no namespace', () => {
  it('is ended with its whole group', async () => {
    await using trial = await createTrial({ policy: { level: 'process-group' } })
    const id = await trial.run(
      'trap "" TERM; (trap "" TERM; sleep 600 &) ; echo up; while :; do sleep 1; done',
    )
    await trial.printed(id, 'up')
    await trial.host.stop(id, 10)
    expect(await trial.host.look(id)).toEqual({ type: 'signalled', signal: 9 })
    expect(await trial.survivors()).toEqual([])
  })

  it('cannot hold up the end of a session by what left the group', async () => {
    await using trial = await createTrial({ policy: { level: 'process-group' } })
    const id = await trial.run(
      'setsid sh -c "echo escaped; exec sleep 20" & while [ ! -e go ]; do sleep 0.1; done',
    )
    await trial.printed(id, 'escaped')
    await trial.host.stop(id, 5_000)

    expect(await trial.host.look(id)).toEqual({ type: 'signalled', signal: 15 })
    expect((await trial.survivors()).map((line) => line.trim())).toEqual(['sleep 20'])
  })
})

function inParallel<Value>(start: () => Promise<Value>): Promise<Value[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, start))
}

function createTrial(options: TrialOptions = {}) {
  return createHostTrial({ temporaryDirectory, processesWith }, options)
}
