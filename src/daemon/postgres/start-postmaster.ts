import { rm } from 'node:fs/promises'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Cluster } from './cluster.ts'
import { writeSettings } from './create-cluster.ts'
import { ensureOwnedDirectory } from './owned-directory.ts'
import type { PostgresFailure } from './postgres-failure.ts'
import { openPostgresLog, readLogTail } from './postgres-log.ts'
import { type ProgramOutcome, runPostgresProgram } from './run-postgres-program.ts'
import { socketPath } from './socket-directory.ts'
import { classifyStartRefusal } from './start-refusal.ts'
import { countFreeBytes } from './system-error.ts'

/** pg_ctl gives up first and leaves the server to its recovery. */
const GRACE_MS = 5_000
/** Less than this is as good as none: the server needs a write-ahead segment to start. */
const LEAST_FREE_BYTES = 2 ** 20

export type StartOutcome = 'started' | 'busy'

/**
 * One attempt. `busy` means that workers of a killed server still hold its memory and will be gone soon.
 * Data directory and log reach pg_ctl by environment and descriptor: it would put arguments into a shell line.
 */
export async function startPostmaster(
  cluster: Cluster,
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Result<StartOutcome, PostgresFailure>> {
  const { account, socketDirectory } = cluster
  // Cleaners of /tmp may have taken the folder away while the server ran.
  const folder = await ensureOwnedDirectory(socketDirectory, {
    uid: account.uid,
    gid: account.gid,
    mode: 0o700,
  })
  if (!folder.ok) return folder
  // The folder is this cluster's alone and its server is gone: a lock left there names a dead process.
  await rm(`${socketPath(socketDirectory)}.lock`, { force: true })
  await writeSettings(cluster, cluster.places.data)
  await using log = await openPostgresLog(cluster.places.logFile)
  const from = (await log.stat()).size
  const outcome = await runPostgresProgram(account, {
    program: cluster.binaries.pgCtl,
    arguments: ['start', '--silent', '--wait', `--timeout=${Math.ceil(limits.timeoutMs / 1000)}`],
    timeoutMs: limits.timeoutMs + GRACE_MS,
    // The one signal that pg_ctl hands on to the server it is starting.
    stopWith: 'SIGINT',
    signal: limits.signal,
    environment: { PGDATA: cluster.places.data },
    outputTo: log.fd,
  })
  if (outcome.type === 'done') return success('started')
  return nameRefusal(cluster, outcome, { lines: await readLogTail(log, from), waitedMs: limits.timeoutMs })
}

async function nameRefusal(
  cluster: Cluster,
  outcome: Exclude<ProgramOutcome, { type: 'done' }>,
  seen: { readonly lines: readonly string[]; readonly waitedMs: number },
): Promise<Result<StartOutcome, PostgresFailure>> {
  const { data: directory, logFile } = cluster.places
  if (outcome.type === 'timed-out' || seen.lines.some((line) => line.includes('did not start in time'))) {
    return failure({ type: 'timeout', step: 'start', waitedMs: seen.waitedMs, logFile })
  }
  if (outcome.type === 'not-started') {
    const detail = `it could not be started (${outcome.code}).`
    return failure({ type: 'binaries-unusable', path: cluster.binaries.pgCtl, detail })
  }

  const refusal = classifyStartRefusal(seen.lines)
  if (refusal === 'busy') return success('busy')
  // On a full disk the log may have had no room for the reason either.
  const freeBytes = await countFreeBytes(cluster.places.base)
  if (refusal === 'no-space' || freeBytes < LEAST_FREE_BYTES) {
    return failure({ type: 'no-space', directory, freeBytes })
  }
  const type = refusal === 'damaged' ? 'damaged' : 'start-refused'
  return failure({ type, directory, logFile, lastLines: seen.lines })
}
