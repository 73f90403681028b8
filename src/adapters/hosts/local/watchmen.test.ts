import { readdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { containmentsHere } from '../../../../test/support/hosts/containments-here.ts'
import { createHostTrial, type HostTrial } from '../../../../test/support/hosts/host-trial.ts'
import { signalAll } from '../../../../test/support/processes.ts'
import type { HostId } from '../../../ports/session-host.ts'

const ENDLESS = 'trap "" TERM; echo up; while :; do sleep 0.1; done'
/** Prints a number per line: in order, without gaps, and until it is asked to finish. */
const COUNT = 'i=0; while [ ! -e go ]; do i=$((i+1)); echo $i; done; echo end; exit 5'

for (const { containment, isMissing, name } of await containmentsHere()) {
  const policy = { level: containment }
  describe.skipIf(isMissing)(`the watchmen of a session with containment ${name}`, () => {
    it.each([
      ["the session's directory is removed", (trial: HostTrial, id: HostId) => trial.host.directoryOf(id)],
      ['the home is removed', (trial: HostTrial) => trial.options.hostsDirectory],
    ])('end it soon after %s', async (_, removed) => {
      await using trial = await createHostTrial({ policy: { ...policy, memoryMb: 4_000 }, napSeconds: 0.2 })
      const id = await trial.run(ENDLESS)
      await trial.printed(id, 'up')
      await rm(removed(trial, id), { recursive: true })
      await expect.poll(() => trial.survivors(), { timeout: 10_000 }).toEqual([])
    })

    it('end it if another home took the place of its own, and leave that one alone', async () => {
      await using trial = await createHostTrial({ policy, napSeconds: 0.2 })
      const id = await trial.run(ENDLESS)
      await trial.printed(id, 'up')
      const directory = trial.host.directoryOf(id)
      await rename(directory, `${directory}.moved`)
      await trial.host.prepare(id)
      await writeFile(join(directory, 'pid'), 'host 4711 99@another-boot process-group\n')
      await expect.poll(() => trial.survivors(), { timeout: 10_000 }).toEqual([])
      expect(await readdir(directory)).toEqual(['pid'])
    })

    it('enforce its limits after its files are gone', async () => {
      await using trial = await createHostTrial({ policy: { ...policy, memoryMb: 100 }, napSeconds: 600 })
      const script = 'echo up; while [ ! -e go ]; do sleep 0.1; done; exec "$NODE" -e "$GREEDY"'
      const GREEDY = 'const kept = []; setInterval(() => kept.push(Buffer.alloc(20_000_000, 1)), 10)'
      const environment = { PATH: '/usr/bin:/bin', TRIAL: trial.path, NODE: process.execPath, GREEDY }
      const id = await trial.run(script, { environment })
      await trial.printed(id, 'up')
      await rm(trial.host.directoryOf(id), { recursive: true })
      await writeFile(join(trial.path, 'go'), '')
      await expect.poll(() => trial.survivors(), { timeout: 10_000 }).toEqual([])
    })

    it('count how long it has run, but not while everything is stopped', async () => {
      await using trial = await createHostTrial({ policy, napSeconds: 0.2 })
      const id = await trial.run(ENDLESS)
      await expect.poll(() => trial.host.ranMs(id), { timeout: 10_000 }).toBeGreaterThan(400)
      const stopped = await processesOf(trial, id)
      signalAll(stopped, 'SIGSTOP')
      const before = (await trial.host.ranMs(id)) ?? 0
      await new Promise((resolve) => setTimeout(resolve, 2_000))
      signalAll(stopped, 'SIGCONT')
      // A nap that was due while it was stopped ends at once.
      await expect.poll(() => trial.host.ranMs(id), { timeout: 10_000 }).toBeGreaterThan(before)
      expect(await trial.host.ranMs(id)).toBeLessThan(before + 1_000)
    })
  })

  describe.skipIf(isMissing)(`the output of a session with containment ${name}`, () => {
    it('is complete, or its gaps are counted, if its writers are killed', async () => {
      await using trial = await createHostTrial({ policy })
      const id = await trial.run(COUNT)
      for (let kills = 0; kills < 10; kills += 1) {
        const size = (await trial.text(id, 'out')).length
        const [writer] = await writersOf(trial, id)
        if (writer !== undefined) kill(writer)
        await expect.poll(async () => (await trial.text(id, 'out')).length).toBeGreaterThan(size)
      }
      // The last gap must be over, because the last number shows how much there should be.
      const left = (await trial.text(id, 'out')).length
      await expect.poll(async () => (await trial.text(id, 'out')).length).toBeGreaterThan(left + 200_000)
      await writeFile(join(trial.path, 'go'), '')
      expect(await trial.end(id)).toEqual({ type: 'exited', code: 5 })
      await expectComplete(trial, id)
    })

    it('continues if a writer is killed together with its shell', async () => {
      await using trial = await createHostTrial({ policy, napSeconds: 0.2 })
      const id = await trial.run(COUNT)
      await trial.printed(id, '100\n')
      const [writer = 0] = await writersOf(trial, id)
      kill(await parentOf(writer))
      kill(writer)
      const size = (await trial.text(id, 'out')).length
      await expect.poll(async () => (await trial.text(id, 'out')).length).toBeGreaterThan(size + 200_000)
      await writeFile(join(trial.path, 'go'), '')
      expect(await trial.end(id)).toEqual({ type: 'exited', code: 5 })
      expect(await trial.text(id, 'out')).toMatch(/\nend\n$/)
      expect(await trial.host.lostOutput(id, 'out')).toMatchObject({ mayBeMore: true })
    })

    it("is complete if only a writer's shell is killed", async () => {
      await using trial = await createHostTrial({ policy, napSeconds: 0.2 })
      const id = await trial.run(COUNT)
      await trial.printed(id, '100\n')
      const [writer = 0] = await writersOf(trial, id)
      kill(await parentOf(writer))
      await writeFile(join(trial.path, 'go'), '')
      expect(await trial.end(id)).toEqual({ type: 'exited', code: 5 })
      await expectComplete(trial, id)
    })
  })
}

/** Kills a process, unless it has ended in the meantime. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** All numbers up to the last one are there, except for as many bytes as the host counted as lost. */
async function expectComplete(trial: HostTrial, id: HostId): Promise<void> {
  const text = await trial.text(id, 'out')
  const last = Number(/(\d+)\nend\n$/.exec(text)?.[1])
  const whole = Array.from({ length: last }, (_, index) => `${index + 1}\n`).join('')
  const lost = await trial.host.lostOutput(id, 'out')
  expect(lost?.mayBeMore ?? false).toBe(false)
  expect(text.length + (lost?.bytes ?? 0)).toBe(whole.length + 'end\n'.length)
}

/** The processes that write to the spool of standard output. */
async function writersOf(trial: HostTrial, id: HostId): Promise<readonly number[]> {
  const spool = join(trial.host.directoryOf(id), 'out')
  const found = await Promise.all(
    (await allProcesses()).map(async (pid) =>
      (await readlink(`/proc/${pid}/fd/1`).catch(() => '')) === spool ? pid : 0,
    ),
  )
  return found.filter((pid) => pid !== 0)
}

/** The host, its watchmen and writers, and the program with all of its processes. */
async function processesOf(trial: HostTrial, id: HostId): Promise<readonly number[]> {
  const snapshot = await trial.host.inspect(id)
  if (snapshot.type !== 'running') throw new Error('the session must be running')
  const parents = new Map(
    await Promise.all((await allProcesses()).map(async (pid) => [pid, await parentOf(pid)] as const)),
  )
  const isPart = (pid: number): boolean =>
    pid === snapshot.pid || (parents.get(pid) !== undefined && pid > 1 && isPart(parents.get(pid) ?? 0))
  return [...parents.keys()].filter(isPart)
}

async function allProcesses(): Promise<readonly number[]> {
  return (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
}

async function parentOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
}
