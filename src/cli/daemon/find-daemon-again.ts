import { setTimeout as pause } from 'node:timers/promises'
import { connect } from '../../client/index.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { readDaemonFile } from '../../home/daemon-file.ts'
import { probeDaemon } from '../../home/probe-daemon.ts'
import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'
import type { Surroundings } from '../surroundings.ts'
import type { DaemonPlace } from './daemon-link.ts'
import { ensureDaemon } from './ensure-daemon.ts'
import { DAEMON_KILLED, tokenRefused } from './start-problems.ts'

type Needs = Pick<Surroundings, 'program' | 'environment' | 'isRoot'>
type Found = Result<DaemonPlace, Problem>
type Say = (line: string) => void

const RETRY_MS = 500
const GIVE_UP_MS = 120_000
/** A daemon that is killed this often while it starts will not survive the next time either. */
const STARTS = 3
/** A daemon that is just being killed may still have a process for a moment. */
const SILENT_MS = 5_000
/** A shorter restart is nothing that a person has to know about. */
const SLOW_MS = 3_000

const RESTARTING = 'lost the daemon; starting it again'
const BACK = 'the daemon is back'
const WAITING = {
  stopped: 'the daemon was stopped; waiting for it to come back',
  silent: 'lost the daemon; waiting for it to come back',
} as const

/** A daemon that was stopped has removed its registration. A silent one has a process, but doesn't answer. */
type Missing = 'stopped' | 'silent'

/**
 * Finds the daemon of a home after it was lost. A daemon that was killed is started again, so that the work continues.
 * If it was stopped, someone wanted it to stop, so we only wait for it.
 */
export async function findHomeDaemon(needs: Needs, home: string, say: Say): Promise<Found> {
  return retryUntilFound(say, async (report) => {
    const found = await findOrRestart(needs, home, () => report(RESTARTING))
    if (typeof found !== 'string') return found
    report(WAITING[found])
    return undefined
  })
}

/**
 * Finds the daemon of a home for a request that it was lost during, or starts it again if it was killed. Undefined if
 * it was stopped or stays silent. Reports only what takes long.
 */
export async function reviveHomeDaemon(needs: Needs, home: string, say: Say): Promise<Found | undefined> {
  const deadline = Date.now() + SILENT_MS
  let isReported = false
  const slow = setTimeout(() => {
    isReported = true
    say(RESTARTING)
  }, SLOW_MS)
  try {
    for (;;) {
      const found = await findOrRestart(needs, home, () => {})
      if (typeof found !== 'string') {
        if (found.ok && isReported) say(BACK)
        return found
      }
      if (found === 'stopped' || Date.now() > deadline) return undefined
      await pause(RETRY_MS)
    }
  } finally {
    clearTimeout(slow)
  }
}

async function findOrRestart(needs: Needs, home: string, onRestart: () => void): Promise<Found | Missing> {
  const probe = await probeDaemon(home)
  if (probe.type === 'ready') return success({ url: probe.client.url, token: probe.token })
  if (probe.type === 'refused') return failure(tokenRefused(home, probe.problem))
  if (probe.type === 'unhealthy') return 'silent'
  if ((await readDaemonFile(home)) === undefined) return 'stopped'
  onRestart()
  return startAgain(needs, home)
}

/** Only waits for a daemon that was named with --server: whoever named it is responsible for it. */
export async function findNamedDaemon(place: DaemonPlace, say: Say): Promise<Found> {
  const client = connect(place)
  return retryUntilFound(say, async (report) => {
    const health = await client.health()
    if (health.ok) return success(place)
    report(WAITING.silent)
    return undefined
  })
}

async function startAgain(needs: Needs, home: string, started = 1): Promise<Found> {
  const ensured = await ensureDaemon({ ...needs, note: () => {} }, home)
  if (ensured.ok) return success({ url: ensured.value.client.url, token: ensured.value.token })
  if (ensured.failure.type !== DAEMON_KILLED || started === STARTS) return ensured
  await pause(RETRY_MS * 2 ** started)
  return startAgain(needs, home, started + 1)
}

/** Retries until `find` has a result. Each line is reported once. */
async function retryUntilFound(say: Say, find: (report: Say) => Promise<Found | undefined>): Promise<Found> {
  const reported = new Set<string>()
  const report: Say = (line) => {
    if (!reported.has(line)) say(line)
    reported.add(line)
  }
  const deadline = Date.now() + GIVE_UP_MS
  while (Date.now() < deadline) {
    const found = await find(report)
    if (found?.ok === true && reported.size > 0) say(BACK)
    if (found !== undefined) return found
    await pause(RETRY_MS)
  }
  return failure({
    type: 'unreachable',
    exitCode: EXIT.unreachable,
    message: `the daemon has been down for ${GIVE_UP_MS / 1000} s; the job continues when it is back`,
    next: 'muster status',
  })
}
