import { describe, expect, it } from 'vitest'
import { processesWith } from '../support/processes.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { until } from '../support/test-daemon.ts'

const daemonsOf = async (home: string) => (await processesWith(home)).filter((line) => line.includes('serve'))

describe('twenty commands at once on a new home', () => {
  it('start one daemon, which answers all of them', async () => {
    await using home = await temporaryDirectory('muster-home')
    const runs = await Promise.all(
      Array.from({ length: 20 }, () => runCommandLine(['status', '--json'], { home: home.path })),
    )
    expect(runs.map((run) => run.stderr.replace(/^starting the daemon.*\n/, '')).join('')).toBe('')
    expect(runs.map((run) => run.code)).toEqual(runs.map(() => 0))
    const pids = runs.map(
      (run) => (JSON.parse(run.stdout) as { data: { daemon: { pid: number } } }).data.daemon.pid,
    )
    expect(new Set(pids).size).toBe(1)
    // The other nineteen daemons exit by themselves once they have seen the lock.
    await until(async () => (await daemonsOf(home.path)).length === 1)
    expect((await runCommandLine(['shutdown'], { home: home.path })).code).toBe(0)
    expect(await processesWith(home.path)).toEqual([])
  }, 180_000)
})
