import type { WireSession, WireSessionEnd, WireStartWait, WireTurnOutcome } from '../../../client/index.ts'
import { describeUnready } from '../../../domain/agent/unready.ts'
import { assertNever } from '../../../domain/assert-never.ts'
import { elapsed, momentWords } from '../text/elapsed.ts'
import type { Tone } from '../text/paint.ts'
import { joined } from '../text/reason-words.ts'
import { safeHead, safeLine } from '../text/safe-text.ts'

const REASON_LIMIT = 100

/**
 * How a session ended, in a few words. A program with a conversation must not just exit: `ending` is then `crashed`,
 * whatever the exit code.
 */
export function sessionEndWords(end: WireSessionEnd, ending?: WireSession['ending']): string {
  switch (end.type) {
    case 'exited':
      if (end.code === 0 && ending !== 'crashed') return 'ended normally'
      return `${ending === 'crashed' ? 'crashed: ' : ''}exited with code ${end.code}`
    case 'signalled':
      return `killed by signal ${end.signal}`
    case 'finished':
      return end.turn.type === 'done' ? 'ended normally' : turnWords(end.turn)
    case 'handed-over':
      return joined(`handed over to ${safeLine(end.to)}`, safeHead(end.reason, REASON_LIMIT))
    case 'unprepared':
      return `setup command ${safeHead(end.command, REASON_LIMIT)} failed with status ${end.code}`
    case 'timed-out':
      return `timed out after ${elapsed(end.afterMs)}`
    case 'unstarted':
      return joined('could not start', safeHead(end.reason, REASON_LIMIT))
    // The word of `muster stop`. Only jobs are cancelled.
    case 'cancelled':
      return joined('stopped', safeHead(end.reason ?? '', REASON_LIMIT))
    case 'lost':
      return joined('lost', safeHead(end.reason, REASON_LIMIT))
    default:
      return assertNever(end)
  }
}

/** How a turn ended, without its answer. */
export function turnWords(turn: WireTurnOutcome): string {
  switch (turn.type) {
    case 'done':
    case 'interrupted':
      return turn.type
    case 'failed':
    case 'refused':
      return joined(turn.type, safeHead(turn.reason, REASON_LIMIT))
    case 'unready':
      return joined('failed', safeHead(describeUnready(turn), REASON_LIMIT))
    case 'limited':
      return joined('out of quota', safeHead(turn.reason, REASON_LIMIT))
    default:
      return assertNever(turn)
  }
}

type Shown = Pick<
  WireSession,
  'status' | 'waiting' | 'suspended' | 'end' | 'ending' | 'turn' | 'openTurns' | 'purpose' | 'mode'
>

/** The state of a session, with the reason if there is one: "waiting for quota until 14:05". */
export function sessionStateWords(session: Shown, now: Date): string {
  switch (session.status) {
    case 'waiting':
      return session.waiting === undefined ? 'waiting' : startWaitWords(session.waiting, now)
    case 'starting':
      return 'starting'
    case 'running':
      return isWaitingForPerson(session) ? 'waiting for you' : 'running'
    case 'suspended':
      return suspensionWords(session, now)
    case 'terminating':
      return 'stopping'
    case 'terminated':
      return session.end === undefined ? 'ended' : sessionEndWords(session.end, session.ending)
    default:
      return assertNever(session.status)
  }
}

/** Whether a personal session has answered everything and waits for the next message. */
export function isWaitingForPerson(session: Shown): boolean {
  const hasAnswered = session.turn !== undefined && session.openTurns === 0
  return (
    session.status === 'running' &&
    hasAnswered &&
    session.purpose.type === 'personal' &&
    session.mode === 'headless'
  )
}

/** Which limit prevents a start: "waiting: 4 of 4 sessions of this project are running". */
export function startWaitWords({ reason, until }: WireStartWait, now: Date): string {
  const moment = until === undefined ? '' : ` until ${momentWords(new Date(until), now)}`
  return `waiting${moment}: ${safeLine(reason)}`
}

function suspensionWords({ suspended }: Shown, now: Date): string {
  if (suspended === undefined) return 'suspended'
  if (suspended.isResuming) return 'resuming'
  if (suspended.why === 'asked') return joined('suspended', safeHead(suspended.reason ?? '', REASON_LIMIT))
  if (suspended.why === 'unready') return safeHead(describeUnready(remedyOf(suspended)), REASON_LIMIT)
  const until = suspended.until === undefined ? '' : ` until ${momentWords(new Date(suspended.until), now)}`
  return `waiting for quota${until}`
}

function remedyOf({ reason = '', remedy = '' }: NonNullable<Shown['suspended']>) {
  return { reason, remedy }
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
  const isIdle = session.status === 'suspended' || session.status === 'waiting' || isWaitingForPerson(session)
  return isIdle ? 'warn' : 'accent'
}
