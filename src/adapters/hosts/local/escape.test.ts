import { describe, expect, it } from 'vitest'
import { processesWith } from '../../../../test/support/processes.ts'
import { temporaryDirectory } from '../../../../test/support/temporary-directory.ts'
import type { LocalHostOptions } from './create-local-host.ts'
import { createHostTrial } from './testing/host-trial.ts'

/** Leaves its group and session twice over, ignores being asked, and closes nothing it inherited. */
const ESCAPE = `
trap "" TERM INT HUP
setsid sh -c 'trap "" TERM INT HUP; (setsid sleep 600 >/dev/null 2>&1 & ) ; echo escaped; : >escaped; sleep 600' &
sleep 600 &
`
const TRIALS = 20

describe('a program that tries to leave something behind', () => {
  it('leaves nothing in a PID namespace when it is stopped', async () => {
    await using trial = await createTrial({ containment: 'pid-namespace' })
    for (let count = 0; count < TRIALS; count += 1) {
      const id = await trial.run(`${ESCAPE} while :; do sleep 1; done`)
      await trial.printed(id, 'escaped')
      expect((await trial.survivors()).length).toBeGreaterThan(4)

      await trial.host.stop(id, 10)
      expect(await trial.survivors()).toEqual([])
      expect(await trial.host.look(id)).toEqual({ type: 'signalled', signal: 9 })
    }
  })

  it('leaves nothing in a PID namespace when it ends by itself', async () => {
    await using trial = await createTrial({ containment: 'pid-namespace' })
    for (let count = 0; count < TRIALS; count += 1) {
      const id = await trial.run(
        `rm -f escaped; ${ESCAPE} while [ ! -e escaped ]; do sleep 0.01; done; exit 4`,
      )
      expect(await trial.end(id)).toEqual({ type: 'exited', code: 4 })
      await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
    }
  })

  it('leaves nothing in a PID namespace when its host is killed', async () => {
    await using trial = await createTrial({ containment: 'pid-namespace' })
    const id = await trial.run(`${ESCAPE} while :; do sleep 1; done`)
    await trial.printed(id, 'escaped')
    const sight = await trial.host.look(id)
    if (sight.type !== 'running') throw new Error('it must be running')
    process.kill(sight.pid, 'SIGKILL')

    await expect.poll(() => trial.survivors(), { timeout: 5_000 }).toEqual([])
    expect(await trial.host.look(id)).toMatchObject({ type: 'lost' })
  })

  it('is ended with its whole group where there is no namespace', async () => {
    await using trial = await createTrial({ containment: 'process-group' })
    const id = await trial.run(
      'trap "" TERM; (trap "" TERM; sleep 600 &) ; echo up; while :; do sleep 1; done',
    )
    await trial.printed(id, 'up')
    await trial.host.stop(id, 10)
    expect(await trial.host.look(id)).toEqual({ type: 'signalled', signal: 9 })
    expect(await trial.survivors()).toEqual([])
  })

  it('cannot hold up the end of a session by what left the group', async () => {
    await using trial = await createTrial({ containment: 'process-group' })
    const id = await trial.run(
      'setsid sh -c "echo escaped; exec sleep 20" & while [ ! -e go ]; do sleep 0.1; done',
    )
    await trial.printed(id, 'escaped')
    await trial.host.stop(id, 5_000)

    expect(await trial.host.look(id)).toEqual({ type: 'signalled', signal: 15 })
    expect((await trial.survivors()).map((line) => line.trim())).toEqual(['sleep 20'])
  })
})

function createTrial(options: Partial<LocalHostOptions> = {}) {
  return createHostTrial({ temporaryDirectory, processesWith }, options)
}
