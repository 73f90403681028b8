import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'
import { logTail } from './log-tail.ts'
import type { DaemonEnd, SpawnedDaemon } from './spawn-daemon.ts'

const SHOWN_LOG_LINES = 20

/** The daemon we started ended instead of answering. */
export async function daemonEnded(spawned: SpawnedDaemon, end: DaemonEnd): Promise<Problem> {
  return unreachable('daemon-unstartable', `the daemon could not be started: it ${endWords(end)}`, spawned)
}

/** Nothing answered in time. */
export async function daemonSilent(
  spawned: SpawnedDaemon,
  limitMs: number,
  found: string | undefined,
): Promise<Problem> {
  const message = `the daemon did not become ready within ${Math.round(limitMs / 1000)} s`
  return unreachable('daemon-silent', found === undefined ? message : `${message}: ${found}`, spawned)
}

export function tokenRefused(home: string, problem: string): Problem {
  return {
    type: 'token-refused',
    exitCode: EXIT.notPermitted,
    message: `the daemon of ${home} does not accept the token that lies there`,
    why: problem,
    next: 'muster shutdown, or end the daemon by hand; the next command starts a new one',
  }
}

async function unreachable(type: string, message: string, spawned: SpawnedDaemon): Promise<Problem> {
  const said = await logTail(spawned.logPath, spawned.logOffset, SHOWN_LOG_LINES)
  const why = said.length === 0 ? `it said nothing in ${spawned.logPath}` : said.join('\n')
  return { type, exitCode: EXIT.unreachable, message, why, next: 'muster doctor' }
}

function endWords(end: DaemonEnd): string {
  if (end.type === 'exited') return `exited with code ${end.code}`
  if (end.type === 'signalled') return `was ended by ${end.signal}`
  return `could not be run (${end.problem})`
}
