import type { MusterClient } from '../../client/index.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { readDaemonFile } from '../../home/daemon-file.ts'
import { type DirectoryChanges, watchDirectory } from '../../home/directory-changes.ts'
import { type Probe, probeDaemon } from '../../home/probe-daemon.ts'
import { isProvenProcess } from '../../home/process-identity.ts'
import { EXIT } from '../exit-code.ts'
import { homeProblem } from '../home-problem.ts'
import type { Problem } from '../problem.ts'
import type { Surroundings } from '../surroundings.ts'
import { type DaemonEnd, type SpawnedDaemon, spawnDaemon } from './spawn-daemon.ts'
import { daemonEnded, daemonHangs, daemonSilent, tokenRefused } from './start-problems.ts'

type Needs = Pick<Surroundings, 'program' | 'environment' | 'isRoot'> & {
  readonly note: (line: string) => void
}

export type Connection = {
  readonly client: MusterClient
  readonly token: string
  readonly pid: number
  readonly version: string
  readonly started: boolean
}

export type EnsureLimits = {
  readonly readyMs: number
  readonly takeoverMs: number
  readonly pauseMs: number
  /** How long a daemon that is running may leave requests unanswered: it may be stopping, or have much to do. */
  readonly silentMs: number
}

const LIMITS: EnsureLimits = { readyMs: 60_000, takeoverMs: 5_000, pauseMs: 500, silentMs: 20_000 }

/**
 * Finds the daemon of a home, or starts one if none is running. Of several commands at once, each starts a daemon; the
 * daemon's lock lets one of them run, and all commands find that one.
 */
export async function ensureDaemon(
  needs: Needs,
  home: string,
  limits: EnsureLimits = LIMITS,
): Promise<Result<Connection, Problem>> {
  try {
    const first = await probeRunning(needs, home, limits)
    const found = resultOf(home, first, false)
    if (found !== undefined) return found
    if (first.type === 'unhealthy' && (await isProvenDaemon(home))) {
      return failure(await daemonHangs(home, first, limits.silentMs))
    }
    needs.note(`starting the daemon in ${home}`)
    return await startDaemon(needs, home, limits)
  } catch (error) {
    const problem = homeProblem(error, home)
    if (problem === undefined) throw error
    return failure(problem)
  }
}

/** Whether the registered process is certainly the daemon. Another one may have the PID of a daemon that died. */
async function isProvenDaemon(home: string): Promise<boolean> {
  const registered = await readDaemonFile(home)
  return registered !== undefined && (await isProvenProcess(registered.pid, registered.startTime))
}

/** The state of the daemon. If it is running and doesn't answer, that is reported, and it gets some time. */
async function probeRunning(needs: Needs, home: string, limits: EnsureLimits): Promise<Probe> {
  const deadline = Date.now() + limits.silentMs
  let probe = await probeDaemon(home)
  if (probe.type !== 'unhealthy' || !(await isProvenDaemon(home))) return probe
  needs.note(`the daemon (process ${probe.pid}) does not answer; waiting for it`)
  using changes = watchDirectory(home)
  while (probe.type === 'unhealthy' && Date.now() < deadline) {
    await changes.next(limits.pauseMs)
    probe = await probeDaemon(home)
  }
  return probe
}

/** A daemon that was started, and how it ended if it did. */
type Trial = { readonly spawned: SpawnedDaemon; readonly startedAt: number; end: DaemonEnd | undefined }

async function startDaemon(
  needs: Needs,
  home: string,
  limits: EnsureLimits,
): Promise<Result<Connection, Problem>> {
  const deadline = Date.now() + limits.readyMs
  let trial = await beginTrial(needs, home)
  using changes = watchDirectory(home)
  let probe: Probe = { type: 'absent' }
  while (Date.now() < deadline) {
    probe = await probeDaemon(home)
    const found = resultOf(home, probe, true)
    if (found !== undefined) return found
    if (trial.end !== undefined && !heldByAnother(trial.end)) {
      return failure(await daemonEnded(trial.spawned, trial.end))
    }
    // The daemon that held the lock may have been stopping. Then none is running, and we start one again.
    if (trial.end !== undefined && Date.now() - trial.startedAt > limits.takeoverMs) {
      trial = await beginTrial(needs, home)
    }
    await untilSomethingHappens(changes, trial, limits.pauseMs)
  }
  const state = probe.type === 'unhealthy' ? `process ${probe.pid}: ${probe.problem}` : undefined
  return failure(await daemonSilent(trial.spawned, limits.readyMs, state))
}

async function beginTrial(needs: Needs, home: string): Promise<Trial> {
  return { spawned: await spawnDaemon(needs, home), startedAt: Date.now(), end: undefined }
}

/** The result, if the probe was conclusive. */
function resultOf(home: string, probe: Probe, started: boolean): Result<Connection, Problem> | undefined {
  if (probe.type === 'refused') return failure(tokenRefused(home, probe.problem))
  if (probe.type !== 'ready') return undefined
  const { client, token, pid, version } = probe
  return success({ client, token, pid, version, started })
}

function heldByAnother(end: DaemonEnd): boolean {
  return end.type === 'exited' && end.code === EXIT.conflict
}

async function untilSomethingHappens(
  changes: DirectoryChanges,
  trial: Trial,
  pauseMs: number,
): Promise<void> {
  const pause = changes.next(pauseMs)
  if (trial.end !== undefined) return pause
  const ended = trial.spawned.ended.then((end) => {
    trial.end = end
  })
  await Promise.race([pause, ended])
}
