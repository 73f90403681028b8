import type { MusterClient } from '../../client/index.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { readDaemonFile } from '../daemon/daemon-file.ts'
import { watchDirectory } from '../daemon/directory-changes.ts'
import { ensureDaemon } from '../daemon/ensure-daemon.ts'
import { probeDaemon } from '../daemon/probe-daemon.ts'
import { isSameProcess } from '../daemon/process-identity.ts'
import { stopDaemon } from '../daemon/stop-daemon.ts'
import { readAll } from '../follow/job-outcome.ts'
import type { Playground } from './playground.ts'

const PAGE = 200
const SESSIONS_LIMIT_MS = 20_000
const TERM_LIMIT_MS = 10_000
const LOOK_AGAIN_MS = 200

/** Ends everything the demo started and removes everything it made. */
export async function clearAway(needs: CommandNeeds, playground: Playground): Promise<void> {
  const { home } = playground
  await reviveKilled(needs, home)
  const probe = await probeDaemon(home)
  if (probe.type === 'ready') {
    await endJobs(probe.client, home)
    const stopped = await stopDaemon(home, probe.client, probe.pid)
    if (!stopped.ok) await insist(home)
  }
  if (probe.type === 'unhealthy') await insist(home)
  await playground.remove()
}

/** A daemon that was killed left its database and its agents; only a daemon ends those properly. */
async function reviveKilled(needs: CommandNeeds, home: string): Promise<void> {
  if ((await readDaemonFile(home)) === undefined) return
  // When it cannot be started either, the directory is removed all the same.
  await ensureDaemon({ ...needs.surroundings, note: () => {} }, home)
}

/** Agents outlive their daemon, so they are ended before it is. */
async function endJobs(client: MusterClient, home: string): Promise<void> {
  const jobs = await readAll((cursor) => client.listJobs({ limit: PAGE, cursor }))
  if (!jobs.ok) return
  // A job that is over already cannot be cancelled, and need not be.
  for (const job of jobs.value) await client.cancelJob(job.id, { reason: 'the demo ended' })
  await waitUntil(home, SESSIONS_LIMIT_MS, async () => {
    const status = await client.status()
    return !status.ok || status.value.sessions.length === 0
  })
}

/** The demo's own daemon does not listen: it is told by signal, and at last it is not asked. */
async function insist(home: string): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const registered = await readDaemonFile(home)
    if (registered === undefined || !(await isSameProcess(registered.pid, registered.startTime))) return
    process.kill(registered.pid, signal)
    await waitUntil(
      home,
      TERM_LIMIT_MS,
      async () => !(await isSameProcess(registered.pid, registered.startTime)),
    )
  }
}

async function waitUntil(home: string, limitMs: number, holds: () => Promise<boolean>): Promise<void> {
  using changes = watchDirectory(home)
  const deadline = Date.now() + limitMs
  while (Date.now() < deadline && !(await holds())) await changes.next(LOOK_AGAIN_MS)
}
