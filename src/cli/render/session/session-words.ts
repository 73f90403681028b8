import type { WireSession, WireSessionEnd, WireStartWait, WireTurnOutcome } from '../../../client/index.ts'
import { assertNever } from '../../../domain/assert-never.ts'
import { elapsed, momentWords } from '../text/elapsed.ts'
import type { Tone } from '../text/paint.ts'
import { safeHead, safeLine } from '../text/safe-text.ts'

const REASON_LIMIT = 100

/** How a session ended, in a few words. */
export function sessionEndWords(end: WireSessionEnd): string {
  switch (end.type) {
    case 'exited':
      return `exit ${end.code}`
    case 'signalled':
      return `signal ${end.signal}`
    case 'finished':
      return turnWords(end.turn)
    case 'handed-over':
      return joined(`handed over to ${safeLine(end.to)}`, end.reason)
    case 'unprepared':
      return `setup command ${safeHead(end.command, REASON_LIMIT)} failed with status ${end.code}`
    case 'timed-out':
      return `out of time after ${elapsed(end.afterMs)}`
    case 'cancelled':
    case 'unstarted':
    case 'lost':
      return joined(end.type, end.reason)
    default:
      return assertNever(end)
  }
}

/** How a turn ended; what was answered is not repeated. */
export function turnWords(turn: WireTurnOutcome): string {
  switch (turn.type) {
    case 'done':
    case 'interrupted':
      return turn.type
    case 'failed':
    case 'refused':
      return joined(turn.type, turn.reason)
    case 'limited':
      return joined('out of quota', turn.reason)
    default:
      return assertNever(turn)
  }
}

type Shown = Pick<
  WireSession,
  'status' | 'waiting' | 'suspended' | 'end' | 'ending' | 'turn' | 'openTurns' | 'purpose' | 'mode'
>

/** How a session stands, with the reason where there is one: "waiting for quota until 14:05". */
export function sessionStateWords(session: Shown, now: Date): string {
  switch (session.status) {
    case 'waiting':
      return session.waiting === undefined ? 'waiting' : startWaitWords(session.waiting, now)
    case 'starting':
      return 'starting'
    case 'running':
      return isAttentive(session) ? 'waiting for your word' : 'running'
    case 'suspended':
      return restWords(session, now)
    case 'terminating':
      return 'stopping'
    case 'terminated':
      return session.end === undefined ? 'over' : sessionEndWords(session.end)
    default:
      return assertNever(session.status)
  }
}

/** It has answered everything it was told and waits for more. */
export function isAttentive(session: Shown): boolean {
  const hasAnswered = session.turn !== undefined && session.openTurns === 0
  return (
    session.status === 'running' &&
    hasAnswered &&
    session.purpose.type === 'personal' &&
    session.mode === 'headless'
  )
}

/** The limit that keeps something from starting: "waits: 4 of 4 sessions of this project run". */
export function startWaitWords({ reason, until }: WireStartWait, now: Date): string {
  return `waits: ${safeLine(reason)}${until === undefined ? '' : ` until ${momentWords(new Date(until), now)}`}`
}

function restWords({ suspended }: Shown, now: Date): string {
  if (suspended === undefined) return 'suspended'
  if (suspended.isResuming) return 'about to go on'
  if (suspended.why === 'asked') return joined('suspended', suspended.reason)
  const until = suspended.until === undefined ? '' : ` until ${momentWords(new Date(suspended.until), now)}`
  return `waiting for quota${until}`
}

const ENDING_TONES: Readonly<Record<NonNullable<WireSession['ending']>, Tone>> = {
  done: 'good',
  failed: 'bad',
  refused: 'bad',
  limited: 'warn',
  crashed: 'bad',
  'timed-out': 'bad',
  cancelled: 'dim',
  'handed-over': 'good',
}

export function sessionTone(session: Shown): Tone {
  if (session.ending !== undefined) return ENDING_TONES[session.ending]
  const isIdle = session.status === 'suspended' || session.status === 'waiting' || isAttentive(session)
  return isIdle ? 'warn' : 'accent'
}

function joined(what: string, why: string): string {
  const words = safeHead(why, REASON_LIMIT)
  return words === '' ? what : `${what}: ${words}`
}
