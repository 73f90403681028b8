import type { MusterClient } from '../../client/index.ts'
import { readAll } from '../../client/read-all.ts'
import { readDaemonFile } from '../../home/daemon-file.ts'
import { watchDirectory } from '../../home/directory-changes.ts'
import { probeDaemon } from '../../home/probe-daemon.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { endSilentDaemon } from '../daemon/end-silent-daemon.ts'
import { ensureDaemon } from '../daemon/ensure-daemon.ts'
import { stopDaemon } from '../daemon/stop-daemon.ts'
import type { Playground } from './playground.ts'

const SESSIONS_LIMIT_MS = 20_000
const RETRY_MS = 200

/** Ends everything that the demo started and removes everything it created. */
export async function cleanUp(needs: CommandNeeds, playground: Playground): Promise<void> {
  const { home } = playground
  await restartKilled(needs, home)
  const probe = await probeDaemon(home)
  if (probe.type === 'ready') {
    await endJobs(probe.client, home)
    const stopped = await stopDaemon(home, probe.client, probe.pid)
    if (!stopped.ok) await endSilentDaemon(home)
  }
  if (probe.type === 'unhealthy') await endSilentDaemon(home)
  await playground.remove()
}

/** A daemon that was killed leaves its database and its agents running. Only a daemon can end them cleanly. */
async function restartKilled(needs: CommandNeeds, home: string): Promise<void> {
  if ((await readDaemonFile(home)) === undefined) return
  // If it cannot be started either, the directory is still removed.
  await ensureDaemon({ ...needs.surroundings, note: () => {} }, home)
}

/** Agents outlive their daemon, so they are ended first. */
async function endJobs(client: MusterClient, home: string): Promise<void> {
  const jobs = await readAll((page) => client.listJobs(page))
  if (!jobs.ok) return
  // Cancelling a job that has already ended fails, which does no harm.
  for (const job of jobs.value) await client.cancelJob(job.id, { reason: 'the demo ended' })
  await waitUntil(home, SESSIONS_LIMIT_MS, async () => {
    const status = await client.status()
    return !status.ok || status.value.sessions.length === 0
  })
}

async function waitUntil(home: string, limitMs: number, holds: () => Promise<boolean>): Promise<void> {
  using changes = watchDirectory(home)
  const deadline = Date.now() + limitMs
  while (Date.now() < deadline && !(await holds())) await changes.next(RETRY_MS)
}
