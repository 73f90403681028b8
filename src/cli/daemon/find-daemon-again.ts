import { setTimeout as pause } from 'node:timers/promises'
import { connect } from '../../client/index.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'
import type { Surroundings } from '../surroundings.ts'
import { readDaemonFile } from './daemon-file.ts'
import type { DaemonPlace } from './daemon-link.ts'
import { ensureDaemon } from './ensure-daemon.ts'
import { type Probe, probeDaemon } from './probe-daemon.ts'
import { DAEMON_KILLED, tokenRefused } from './start-problems.ts'

type Needs = Pick<Surroundings, 'program' | 'environment' | 'isRoot'>
type Found = Result<DaemonPlace, Problem>
type Say = (line: string) => void

const RETRY_MS = 500
const GIVE_UP_MS = 120_000
/** A daemon that is killed this often while it starts will not survive the next time either. */
const STARTS = 3

/**
 * Finds the daemon of a home after it was lost. A daemon that was killed is started again, so that the work continues.
 * A daemon that was stopped has removed its registration. Someone wanted it to stop, so we only wait for it.
 */
export async function findHomeDaemon(needs: Needs, home: string, say: Say): Promise<Found> {
  return retryUntilFound(say, async (report) => {
    const probe = await probeDaemon(home)
    if (probe.type === 'ready') return success({ url: probe.client.url, token: probe.token })
    if (probe.type === 'refused') return failure(tokenRefused(home, probe.problem))
    if (probe.type === 'absent' && (await readDaemonFile(home)) !== undefined) {
      report('lost the daemon; starting it again')
      return startAgain(needs, home)
    }
    report(waitingWords(probe))
    return undefined
  })
}

/** Only waits for a daemon that was named with --server: whoever named it is responsible for it. */
export async function findNamedDaemon(place: DaemonPlace, say: Say): Promise<Found> {
  const client = connect(place)
  return retryUntilFound(say, async (report) => {
    const health = await client.health()
    if (health.ok) return success(place)
    report('lost the daemon; waiting for it to come back')
    return undefined
  })
}

function waitingWords(probe: Probe): string {
  return probe.type === 'absent'
    ? 'the daemon was stopped; waiting for it to come back'
    : 'lost the daemon; waiting for it to come back'
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
    if (found?.ok === true && reported.size > 0) say('the daemon is back')
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
