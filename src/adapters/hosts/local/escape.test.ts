import { describe, expect, it } from 'vitest'
import { containmentsHere } from '../../../../test/support/hosts/containments-here.ts'
import { createHostTrial } from '../../../../test/support/hosts/host-trial.ts'
import { trials } from '../../../../test/support/trials.ts'

/** Leaves its group and its session twice, ignores signals, and keeps inherited files open. */
const ESCAPE = `
trap "" TERM INT HUP
setsid sh -c 'trap "" TERM INT HUP; (setsid sleep 600 >/dev/null 2>&1 & ) ; echo escaped; : >escaped; sleep 600' &
sleep 600 &
`
const TRIALS = trials(10, 100)
const AT_ONCE = 10

for (const { containment, isMissing, name } of await containmentsHere()) {
  if (containment === 'process-group') continue
  const policy = { level: containment }
  describe.skipIf(isMissing)(
    `a program that tries to leave processes behind, with containment ${name}`,
    () => {
      it('leaves none when it is stopped', async () => {
        await using trial = await createHostTrial({ policy })
        for (let count = 0; count < TRIALS; count += AT_ONCE) {
          const ids = await inParallel(() =>
            trial.run(`${ESCAPE} while :; do sleep 1; done`, { hasInput: count % 20 === 0 }),
          )
          await Promise.all(ids.map((id) => trial.printed(id, 'escaped')))
          expect((await trial.survivors()).length).toBeGreaterThan(4 * AT_ONCE)

          await Promise.all(ids.map((id) => trial.host.stop(id, 10)))
          expect(await trial.survivors()).toEqual([])
          const snapshots = await Promise.all(ids.map((id) => trial.host.inspect(id)))
          expect(snapshots).toEqual(ids.map(() => ({ type: 'signalled', signal: 9 })))
        }
      })

      it('leaves none when it ends by itself', async () => {
        await using trial = await createHostTrial({ policy })
        const ids = await inParallel(() =>
          trial.run(`${ESCAPE} while [ ! -e escaped ]; do sleep 0.01; done; exit 4`),
        )
        const ends = await Promise.all(ids.map((id) => trial.end(id)))
        expect(ends).toEqual(ids.map(() => ({ type: 'exited', code: 4 })))
        await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
      })

      it('cannot forge its exit status', async () => {
        await using trial = await createHostTrial({ policy })
        // The program can open every file that the first process of the sandbox has open, even for writing.
        const forge =
          'for fd in /proc/1/fd/*; do case $(readlink "$fd") in */end | */death) printf "begun\\n0\\n" > "$fd"; esac; done'
        const id = await trial.run(`(${forge}) 2>/dev/null; exit 7`)
        expect(await trial.end(id)).toEqual({ type: 'exited', code: 7 })
      })

      it('leaves none when its host is killed', async () => {
        await using trial = await createHostTrial({ policy })
        const ids = await inParallel(() =>
          trial.run(`${ESCAPE} while :; do sleep 1; done`, { hasInput: true }),
        )
        for (const id of ids) {
          await trial.printed(id, 'escaped')
          const snapshot = await trial.host.inspect(id)
          if (snapshot.type !== 'running') throw new Error('the session must be running')
          process.kill(snapshot.pid, 'SIGKILL')
        }
        await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
        const snapshots = await Promise.all(ids.map((id) => trial.host.inspect(id)))
        expect(new Set(snapshots.map((snapshot) => snapshot.type))).toEqual(new Set(['lost']))
      })
    },
  )
}

describe('a program that tries to leave processes behind without a namespace', () => {
  it('is killed with its whole process group', async () => {
    await using trial = await createHostTrial({ policy: { level: 'process-group' } })
    const id = await trial.run(
      'trap "" TERM; (trap "" TERM; sleep 600 &) ; echo up; while :; do sleep 1; done',
    )
    await trial.printed(id, 'up')
    await trial.host.stop(id, 10)
    expect(await trial.host.inspect(id)).toEqual({ type: 'signalled', signal: 9 })
    expect(await trial.survivors()).toEqual([])
  })

  it('cannot delay the end of its session with a process that left the group', async () => {
    await using trial = await createHostTrial({ policy: { level: 'process-group' } })
    const id = await trial.run(
      'setsid sh -c "echo escaped; exec sleep 20" & while [ ! -e go ]; do sleep 0.1; done',
    )
    await trial.printed(id, 'escaped')
    await trial.host.stop(id, 5_000)

    expect(await trial.host.inspect(id)).toEqual({ type: 'signalled', signal: 15 })
    expect((await trial.survivors()).map((line) => line.trim())).toEqual(['sleep 20'])
  })
})

function inParallel<Value>(start: () => Promise<Value>): Promise<Value[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, start))
}
