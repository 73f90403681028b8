import { setTimeout as sleep } from 'node:timers/promises'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Log } from '../../ports/log.ts'
import type { Cluster } from './cluster.ts'
import { DATABASE, ROLE } from './cluster-settings.ts'
import type { PostgresFailure } from './postgres-failure.ts'
import type { PostgresConnection } from './postgres-server.ts'
import { isSameDirectory, readPostmasterFacts, removePidFile } from './postmaster-facts.ts'
import { judgePostmaster, type PostmasterVerdict } from './postmaster-verdict.ts'
import { SOCKET_PORT } from './socket-directory.ts'
import { startPostmaster } from './start-postmaster.ts'
import { stopPostmaster } from './stop-postmaster.ts'
import { tryConnection } from './try-connection.ts'

export type RunningPostmaster = { readonly pid: number; readonly version: string }

type Needs = { readonly log: Log; readonly isOurs?: () => boolean }
type Limits = { readonly timeoutMs: number; readonly signal: AbortSignal }
type Step =
  | { readonly type: 'again'; readonly afterMs: number }
  | { readonly type: 'settled'; readonly result: Result<RunningPostmaster, PostgresFailure> }

const PAUSE_MS = 50
const EXIT_TAKES_MS = 200
const CONNECT_TIMEOUT_MS = 5_000
const NOW: Step = { type: 'again', afterMs: 0 }
const SOON: Step = { type: 'again', afterMs: PAUSE_MS }

/**
 * Adopts a running server, starts an absent one, restarts a dead one: inspects the server, does the one thing needed,
 * and repeats until it responds, refuses, or time is up.
 */
export async function ensurePostmaster(
  needs: Needs,
  cluster: Cluster,
  limits: Limits,
): Promise<Result<RunningPostmaster, PostgresFailure>> {
  const deadline = performance.now() + limits.timeoutMs
  while (!limits.signal.aborted && performance.now() < deadline) {
    if (needs.isOurs?.() === false) return failure({ type: 'closed' })
    const timeoutMs = Math.ceil(Math.max(1_000, deadline - performance.now()))
    const step = await takeStep(needs, cluster, { timeoutMs, signal: limits.signal })
    if (limits.signal.aborted) break
    if (step.type === 'settled') return step.result
    await sleep(step.afterMs)
  }
  if (limits.signal.aborted) return failure({ type: 'closed' })
  const { logFile } = cluster.places
  return failure({ type: 'timeout', step: 'start', waitedMs: limits.timeoutMs, logFile })
}

async function takeStep(needs: Needs, cluster: Cluster, limits: Limits): Promise<Step> {
  const verdict = judgePostmaster(await readPostmasterFacts(cluster))
  switch (verdict.type) {
    case 'changing':
      return SOON
    case 'ready':
      return meet(needs, cluster, verdict)
    case 'stale':
      needs.log.warn({ data: cluster.places.data }, 'the database crashed; restarting it')
      await removePidFile(cluster)
      return NOW
    default:
      return start(cluster, limits)
  }
}

async function start(cluster: Cluster, limits: Limits): Promise<Step> {
  const started = await startPostmaster(cluster, limits)
  if (!started.ok) return { type: 'settled', result: started }
  return started.value === 'started' ? NOW : SOON
}

async function meet(
  needs: Needs,
  cluster: Cluster,
  verdict: Extract<PostmasterVerdict, { type: 'ready' }>,
): Promise<Step> {
  if (!(await isSameDirectory(verdict.socketDirectory, cluster.socketDirectory)))
    return restart(needs, cluster)

  const { pid } = verdict
  const answer = await tryConnection(connectionOf(cluster), CONNECT_TIMEOUT_MS)
  switch (answer.type) {
    case 'answered':
      return { type: 'settled', result: success({ pid, version: answer.version }) }
    case 'full':
      return { type: 'settled', result: success({ pid, version: cluster.binaries.version }) }
    case 'not-yet':
      return SOON
    case 'unreachable':
      // A loaded machine may respond late; only a socket that no process serves needs a restart.
      return answer.isRefused ? restartIfStill(needs, cluster, pid) : SOON
    case 'authentication': {
      const target = cluster.socketDirectory
      const failed = { type: 'authentication-refused', target, user: ROLE, detail: answer.detail } as const
      return { type: 'settled', result: failure(failed) }
    }
    default: {
      const failed = {
        type: 'database-missing',
        target: cluster.socketDirectory,
        database: DATABASE,
      } as const
      return { type: 'settled', result: failure(failed) }
    }
  }
}

/** A killed server closes its socket a moment before it shows as dead; that one need not be stopped. */
async function restartIfStill(needs: Needs, cluster: Cluster, pid: number): Promise<Step> {
  await sleep(EXIT_TAKES_MS)
  const verdict = judgePostmaster(await readPostmasterFacts(cluster))
  return verdict.type === 'ready' && verdict.pid === pid ? restart(needs, cluster) : NOW
}

/** The server can't be reached where we expect it: its socket is elsewhere or was deleted. */
async function restart(needs: Needs, cluster: Cluster): Promise<Step> {
  needs.log.warn(
    { data: cluster.places.data },
    'the database is running but not on its socket; restarting it',
  )
  await stopPostmaster(cluster)
  return NOW
}

export function connectionOf(cluster: Cluster): Exclude<PostgresConnection, { connectionString: string }> {
  return {
    host: cluster.socketDirectory,
    port: SOCKET_PORT,
    user: ROLE,
    database: DATABASE,
    ssl: false,
  }
}
