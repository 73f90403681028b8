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
import { tokenRefused } from './start-problems.ts'

type Needs = Pick<Surroundings, 'program' | 'environment' | 'isRoot'>
type Found = Result<DaemonPlace, Problem>
type Say = (line: string) => void

const LOOK_AGAIN_MS = 500
const GIVE_UP_MS = 120_000

/**
 * The daemon of a home after it was lost. One that was killed is started again, so that the work goes on. One
 * that was stopped, and so took its registration along, is waited for: someone wanted it to stop.
 */
export async function findHomeDaemon(needs: Needs, home: string, say: Say): Promise<Found> {
  return lookUntilFound(say, async (tell) => {
    const probe = await probeDaemon(home)
    if (probe.type === 'ready') return success({ url: probe.client.url, token: probe.token })
    if (probe.type === 'refused') return failure(tokenRefused(home, probe.problem))
    if (probe.type === 'absent' && (await readDaemonFile(home)) !== undefined) {
      tell('lost the daemon; starting it again')
      return startAgain(needs, home)
    }
    tell(waitingWords(probe))
    return undefined
  })
}

/** A daemon that was named is only waited for: whoever named it looks after it. */
export async function findNamedDaemon(place: DaemonPlace, say: Say): Promise<Found> {
  const client = connect(place)
  return lookUntilFound(say, async (tell) => {
    const health = await client.health()
    if (health.ok) return success(place)
    tell('lost the daemon; waiting for it to come back')
    return undefined
  })
}

function waitingWords(probe: Probe): string {
  return probe.type === 'absent'
    ? 'the daemon was stopped; waiting for it to come back'
    : 'lost the daemon; waiting for it to come back'
}

async function startAgain(needs: Needs, home: string): Promise<Found> {
  const ensured = await ensureDaemon({ ...needs, note: () => {} }, home)
  return ensured.ok ? success({ url: ensured.value.client.url, token: ensured.value.token }) : ensured
}

/** Looks until there is an answer; each thing worth saying is said once. */
async function lookUntilFound(say: Say, look: (tell: Say) => Promise<Found | undefined>): Promise<Found> {
  const said = new Set<string>()
  const tell: Say = (line) => {
    if (!said.has(line)) say(line)
    said.add(line)
  }
  const deadline = Date.now() + GIVE_UP_MS
  while (Date.now() < deadline) {
    const found = await look(tell)
    if (found?.ok === true && said.size > 0) say('the daemon is back')
    if (found !== undefined) return found
    await pause(LOOK_AGAIN_MS)
  }
  return failure({
    type: 'unreachable',
    exitCode: EXIT.unreachable,
    message: `the daemon has been away for ${GIVE_UP_MS / 1000} s; the job goes on when it is back`,
    next: 'muster status',
  })
}
