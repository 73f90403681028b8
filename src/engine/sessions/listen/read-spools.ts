import { assertNever } from '../../../domain/assert-never.ts'
import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import { agentMessage } from '../../../domain/event/agent-message.ts'
import { sessionPlace } from '../../../domain/event/event-place.ts'
import { checkPrinted } from '../../../domain/event/task-events.ts'
import type { JobId, SessionId, TaskId } from '../../../domain/id.ts'
import { SESSION_LIMITS } from '../../../domain/limits/session-limits.ts'
import type { Session } from '../../../domain/session/session.ts'
import { attemptIdOf, rulesOf } from '../../../domain/session/session-purpose.ts'
import type { SessionEnd } from '../../../domain/session/session-state.ts'
import type { Talk } from '../../../domain/session/talk.ts'
import type { HostSight } from '../../../ports/session-host.ts'
import type { PendingInput, SpoolProgress } from '../../../ports/store/session-records.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { HANDOFF_REQUEST } from '../../prompts/handoff-prompt.ts'
import { hostOf } from '../host-of.ts'
import { addUsage } from './add-usage.ts'
import { Conversation } from './conversation.ts'
import { mergeRuns, type Told } from './merge-runs.ts'
import { cutLines, type SpoolLine } from './spool-lines.ts'

type Needs = Pick<EngineNeeds, 'host' | 'providers' | 'settings' | 'clock'>

/** Where one session's spools have been read up to, and what its lines belong to. */
export type Tail = {
  readonly session: Session
  readonly cycle?: number
  readonly taskId?: TaskId
  /** The job whose budget what it costs goes against, where it has one. */
  readonly payer?: JobId
  readonly outOffset: number
  readonly errOffset: number
  readonly talk: Talk
  /** Up to where standard output holds no end of the line that begins at its offset. */
  readonly scannedTo: number
  /** When the program was last seen to run, in milliseconds of the clock. */
  readonly lookedAt: number
}

export type PermissionRequest = Extract<AgentEvent, { type: 'permission-request' }>

export type SpoolRead = {
  readonly sessionId: SessionId
  /** Absent when there was nothing to store. */
  readonly progress?: SpoolProgress
  /** What the program wants to be allowed. */
  readonly requests: readonly PermissionRequest[]
  readonly hasMore: boolean
  readonly scannedTo: number
  readonly lookedAt: number
  /** Whether the program may have ended since it was looked at: another look must follow. */
  readonly isLookDue: boolean
  /** Present when the program is over and every line of it has been stored. */
  readonly end?: SessionEnd
}

const CHUNK_BYTES = 256 * 1024
/** Bounds a batch: short lines by their number, long ones by their length. */
const PLAIN_LIMITS = { maxLineBytes: SESSION_LIMITS.plainLineBytes, maxLines: 8_000 }
/** How long a program that prints is taken to run on: a look costs more than the reading. */
const LOOK_AFTER_MS = 2_000
/** A line of a protocol means something only as a whole, and may hold a whole file; an empty one means nothing. */
const SPOKEN_LIMITS = { maxLineBytes: SESSION_LIMITS.protocolLineBytes, maxLines: 500, skipsEmpty: true }

/** Reads what is new in both spools of a session; looks at the program only when they seem drained. */
export async function readSpools(
  needs: Needs,
  tail: Tail,
  inputs: readonly PendingInput[] = [],
): Promise<SpoolRead> {
  const first = await readBoth(needs, tail)
  if (first.isFull) return cut(needs, tail, first, inputs, { hasMore: true })
  const isPrinting = first.out.length > 0 || first.err.length > 0
  if (isPrinting && isSeenLately(needs, tail)) {
    return { ...cut(needs, tail, first, inputs, { hasMore: false }), isLookDue: true }
  }
  // The program's end is looked at before the spools are taken as complete: what it printed is there by then.
  const sight = await needs.host.look(hostOf(tail.session))
  const end = endOf(sight, tail.session)
  const lookedAt = needs.clock.now().getTime()
  if (end === undefined) return { ...cut(needs, tail, first, inputs, { hasMore: false }), lookedAt }

  const all = await readBoth(needs, tail, true)
  if (all.out.length === 0 && all.err.length === 0) return { ...nothingFrom(tail), end }
  return cut(needs, tail, all, inputs, { hasMore: true, atEnd: !all.isFull })
}

function isSeenLately(needs: Needs, tail: Tail): boolean {
  const ageMs = needs.clock.now().getTime() - tail.lookedAt
  return ageMs >= 0 && ageMs < LOOK_AFTER_MS
}

/** A reading that found nothing. */
export function nothingFrom({ session, scannedTo, lookedAt }: Tail): SpoolRead {
  return { sessionId: session.id, requests: [], hasMore: false, scannedTo, lookedAt, isLookDue: false }
}

type Chunks = {
  readonly out: Uint8Array
  readonly err: Uint8Array
  /** Whether standard output begins in the middle of a line that was given in part. */
  readonly isContinued: boolean
  readonly isFull: boolean
  readonly scannedTo: number
}

async function readBoth(needs: Needs, tail: Tail, isOver = false): Promise<Chunks> {
  const hostId = hostOf(tail.session)
  const [out, err] = await Promise.all([
    readOut(needs, tail, isOver),
    needs.host.read(hostId, 'err', tail.errOffset, CHUNK_BYTES),
  ])
  return { ...out, err, isFull: out.isFull || err.length === CHUNK_BYTES }
}

type Chunk = Pick<Chunks, 'out' | 'isContinued' | 'isFull' | 'scannedTo'>

/**
 * A line of a protocol may be longer than a chunk: then its end is looked for first, and it is read as a whole
 * when there is one, or when it is longer than any that is understood.
 */
async function readOut(needs: Needs, tail: Tail, isOver: boolean): Promise<Chunk> {
  const { outOffset, scannedTo } = tail
  const isScanning = scannedTo > outOffset
  const first = isScanning ? undefined : await readLines(needs, tail, CHUNK_BYTES)
  const found = first?.out ?? (await needs.host.read(hostOf(tail.session), 'out', scannedTo, CHUNK_BYTES))
  const isFull = found.length === CHUNK_BYTES
  const hasEnd = found.includes(LINE_FEED)
  const isEnough = hasEnd || !isFull || tail.talk.dialogue === undefined
  if (first !== undefined && isEnough) return { ...first, isFull, scannedTo }
  const most = SPOKEN_LIMITS.maxLineBytes + CHUNK_BYTES
  const reached = scannedTo + found.length
  if (!hasEnd && !isOver && reached - outOffset < most) {
    return { out: NOTHING, isContinued: false, isFull, scannedTo: reached }
  }
  const whole = await readLines(needs, tail, most)
  return { ...whole, isFull: whole.out.length === most || hasEnd, scannedTo }
}

/** Reads on from the offset; the byte before it tells whether the line there began earlier. */
async function readLines(
  needs: Needs,
  { session, outOffset }: Tail,
  limit: number,
): Promise<Pick<Chunk, 'out' | 'isContinued'>> {
  const ahead = Math.min(outOffset, 1)
  const bytes = await needs.host.read(hostOf(session), 'out', outOffset - ahead, limit + ahead)
  return { out: bytes.subarray(ahead), isContinued: ahead === 1 && bytes[0] !== LINE_FEED }
}

const NOTHING = new Uint8Array()
const LINE_FEED = 0x0a

type CutOptions = {
  readonly hasMore: boolean
  /** The program is over and these are its last bytes. */
  readonly atEnd?: boolean
}

function cut(
  needs: Needs,
  tail: Tail,
  chunks: Chunks,
  inputs: readonly PendingInput[],
  { hasMore, atEnd = false }: CutOptions,
): SpoolRead {
  const { session, outOffset, errOffset } = tail
  const limits = tail.talk.dialogue === undefined ? PLAIN_LIMITS : SPOKEN_LIMITS
  const out = cutLines(chunks.out, { ...limits, atEnd, continued: chunks.isContinued })
  const err = cutLines(chunks.err, { ...PLAIN_LIMITS, atEnd })
  if (out.consumed === 0 && err.consumed === 0 && inputs.length === 0) {
    return { ...nothingFrom(tail), hasMore, scannedTo: chunks.scannedTo }
  }
  const heard = listen(needs, tail, out.lines, inputs)
  const problems = err.lines.map(({ text, truncated }): Told => {
    return { event: { type: 'error-output', text }, isPiece: truncated }
  })
  const progress: SpoolProgress = {
    sessionId: session.id,
    fromOut: outOffset,
    toOut: outOffset + out.consumed,
    fromErr: errOffset,
    toErr: errOffset + err.consumed,
    events: eventsOf(tail, [...heard.told, ...calm(problems, err.lines)]),
    ...(heard.talk === undefined ? {} : { talk: heard.talk }),
    ...(inputs.length === 0 ? {} : { said: inputs.map((input) => input.id) }),
  }
  const isCutShort = out.lines.length === limits.maxLines || isFlood(err.lines)
  const scannedTo = out.consumed === 0 ? chunks.scannedTo : progress.toOut
  return {
    ...nothingFrom(tail),
    progress,
    requests: heard.requests,
    hasMore: hasMore || isCutShort,
    scannedTo,
  }
}

function isFlood(lines: readonly SpoolLine[]): boolean {
  return lines.length === PLAIN_LIMITS.maxLines
}

function calm(told: readonly Told[], lines: readonly SpoolLine[]): readonly Told[] {
  return isFlood(lines) ? mergeRuns(told) : told
}

type Heard = {
  readonly told: readonly Told[]
  readonly requests: readonly PermissionRequest[]
  readonly talk?: Talk
}

/** What the lines of standard output mean, and what is said to the program after them. */
function listen(
  needs: Needs,
  tail: Tail,
  lines: readonly SpoolLine[],
  inputs: readonly PendingInput[],
): Heard {
  const provider = needs.providers.get(tail.session.provider)
  const dialogue = provider?.dialogue
  if (tail.session.mode !== 'headless' || dialogue === undefined || tail.talk.dialogue === undefined) {
    const read = (line: SpoolLine): readonly AgentEvent[] =>
      line.truncated || provider === undefined
        ? [{ type: 'text', text: line.text }]
        : provider.readLine(line.text)
    const told = lines.flatMap((line) =>
      read(line).map((event): Told => ({ event, isPiece: line.truncated })),
    )
    return { told: calm(told, lines), requests: [], ...usageIn(tail.talk, told) }
  }
  const conversation = new Conversation(dialogue, tail.talk)
  const told = lines.flatMap((line): readonly Told[] =>
    line.truncated
      ? [{ event: { type: 'text', text: line.text.slice(0, PLAIN_LIMITS.maxLineBytes) }, isPiece: true }]
      : conversation.hear(line.text).map((event) => ({ event, isPiece: false })),
  )
  askToHandOff(needs, tail, conversation)
  const answers = inputs.flatMap(({ input }) => conversation.give(input))
  const all = [...told, ...answers.map((event): Told => ({ event, isPiece: false }))]
  const requests = all.flatMap(({ event }) => (event.type === 'permission-request' ? [event] : []))
  return { told: all, requests, talk: conversation.talk }
}

/** A program that is not spoken to may still print what it used. */
function usageIn(talk: Talk, told: readonly Told[]): Pick<Heard, 'talk'> {
  const uses = told.flatMap(({ event }) => (event.type === 'usage' ? [event] : []))
  return uses.length === 0 ? {} : { talk: { ...talk, usage: uses.reduce(addUsage, talk.usage) } }
}

/** A session is asked once, in the middle of its turn if need be: later its program would cut it by itself. */
function askToHandOff(needs: Needs, tail: Tail, conversation: Conversation): void {
  const { contextTokens, contextWindow, openTurns, isAskedToHandOff } = conversation.talk
  if (attemptIdOf(tail.session) === undefined || isAskedToHandOff === true || openTurns === 0) return
  if (contextTokens === undefined || contextWindow === undefined || contextWindow <= 0) return
  if (contextTokens / contextWindow < needs.settings.handoffShare) return
  conversation.askToHandOff(HANDOFF_REQUEST)
}

function eventsOf({ session, cycle, taskId }: Tail, told: readonly Told[]): SpoolProgress['events'] {
  const place = sessionPlace(session, {
    ...(cycle === undefined ? {} : { cycle }),
    ...(taskId === undefined ? {} : { taskId }),
  })
  const { speaks } = rulesOf(session)
  return told.map(({ event, isPiece }) =>
    speaks
      ? agentMessage(place, session, event, isPiece)
      : checkPrinted(place, 'text' in event ? event.text : ''),
  )
}

function endOf(sight: HostSight, session: Session): SessionEnd | undefined {
  switch (sight.type) {
    case 'running':
      return undefined
    case 'absent':
      // It was seen to run, and now there is no trace of it: somebody removed its files.
      return session.state.type === 'starting' ? undefined : { type: 'lost', reason: 'its files are gone' }
    case 'exited':
      return { type: 'exited', code: sight.code }
    case 'signalled':
      return { type: 'signalled', signal: sight.signal }
    case 'lost':
      return { type: 'lost', reason: sight.reason }
    default:
      return assertNever(sight)
  }
}
