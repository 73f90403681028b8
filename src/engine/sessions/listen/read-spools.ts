import { agentMessage } from '../../../domain/event/agent-message.ts'
import { sessionPlace } from '../../../domain/event/event-place.ts'
import { checkPrinted } from '../../../domain/event/task-events.ts'
import type { SessionId } from '../../../domain/id.ts'
import { SESSION_LIMITS } from '../../../domain/limits/session-limits.ts'
import type { ConversationState } from '../../../domain/session/conversation-state.ts'
import { rulesOf } from '../../../domain/session/session-purpose.ts'
import type { SessionEnd } from '../../../domain/session/session-state.ts'
import { nextSetupProgress } from '../../../domain/session/setup-output.ts'
import type { Spool } from '../../../ports/session-host.ts'
import type { PendingInput, SpoolProgress } from '../../../ports/store/session-records.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { hostOf } from '../host-of.ts'
import { cappedSpools, endOf } from './end-of.ts'
import { hearProgram, type PermissionRequest } from './hear-program.ts'
import { mergeRuns, type Reported } from './merge-runs.ts'
import { redactPlainLine } from './redact-line.ts'
import { cutLines, type SpoolLine } from './spool-lines.ts'
import type { Tail } from './tail.ts'

type Needs = Pick<EngineNeeds, 'host' | 'providers' | 'settings' | 'clock'>

export type SpoolRead = {
  readonly sessionId: SessionId
  /** Absent when there was nothing to store. */
  readonly progress?: SpoolProgress
  /** The program's permission requests. */
  readonly requests: readonly PermissionRequest[]
  readonly hasMore: boolean
  readonly scannedTo: number
  readonly inspectedAt: number
  /** Whether the program may have exited since it was inspected, so it must be inspected again. */
  readonly isInspectionDue: boolean
  /** Present when the program has exited and all of its lines have been stored. */
  readonly end?: SessionEnd
}

const CHUNK_BYTES = 256 * 1024
/** Bounds a batch of short lines by their number and of long ones by their length. */
const PLAIN_LIMITS = { maxLineBytes: SESSION_LIMITS.plainLineBytes, maxLines: 8_000 }
/** How long a program that prints is assumed to be running: inspecting it costs more than reading. */
const INSPECT_AFTER_MS = 2_000
/** A protocol line is useless in pieces and may contain a whole file. Empty lines mean nothing. */
const PROTOCOL_LIMITS = { maxLineBytes: SESSION_LIMITS.protocolLineBytes, maxLines: 500, skipsEmpty: true }

/** Reads new output from both spools of a session. Inspects the program only when the spools seem drained. */
export async function readSpools(
  needs: Needs,
  tail: Tail,
  inputs: readonly PendingInput[] = [],
): Promise<SpoolRead> {
  const first = await readBoth(needs, tail)
  if (first.isFull) return cut(needs, tail, first, inputs, { hasMore: true })
  const isPrinting = first.out.length > 0 || first.err.length > 0
  if (isPrinting && wasInspectedLately(needs, tail)) {
    return { ...cut(needs, tail, first, inputs, { hasMore: false }), isInspectionDue: true }
  }
  // Check for the program's end before treating the spools as complete: by then all of its output is there.
  const snapshot = await needs.host.inspect(hostOf(tail.session))
  const end = endOf(snapshot, tail.session)
  const inspectedAt = needs.clock.now().getTime()
  if (end === undefined) return { ...cut(needs, tail, first, inputs, { hasMore: false }), inspectedAt }

  const all = await readBoth(needs, tail, true)
  if (all.out.length === 0 && all.err.length === 0) return { ...nothingFrom(tail), end }
  const capped = await cappedSpools(needs.host, hostOf(tail.session))
  return cut(needs, tail, all, inputs, { hasMore: true, atEnd: !all.isFull, capped })
}

function wasInspectedLately(needs: Needs, tail: Tail): boolean {
  const ageMs = needs.clock.now().getTime() - tail.inspectedAt
  return ageMs >= 0 && ageMs < INSPECT_AFTER_MS
}

/** A read that found nothing. */
export function nothingFrom({ session, scannedTo, inspectedAt }: Tail): SpoolRead {
  return {
    sessionId: session.id,
    requests: [],
    hasMore: false,
    scannedTo,
    inspectedAt,
    isInspectionDue: false,
  }
}

type Chunks = {
  readonly out: Uint8Array
  readonly err: Uint8Array
  /** Whether standard output starts in the middle of a line whose first piece was already returned. */
  readonly isContinued: boolean
  readonly isFull: boolean
  readonly scannedTo: number
}

async function readBoth(needs: Needs, tail: Tail, isFinished = false): Promise<Chunks> {
  const hostId = hostOf(tail.session)
  const [out, err] = await Promise.all([
    readOut(needs, tail, isFinished),
    needs.host.read(hostId, 'err', tail.errOffset, CHUNK_BYTES),
  ])
  return { ...out, err, isFull: out.isFull || err.length === CHUNK_BYTES }
}

type Chunk = Pick<Chunks, 'out' | 'isContinued' | 'isFull' | 'scannedTo'>

/**
 * A protocol line may be longer than a chunk. Its end is searched for first, and the line is read whole once the end
 * is there or the line exceeds the longest one that is understood.
 */
async function readOut(needs: Needs, tail: Tail, isFinished: boolean): Promise<Chunk> {
  const { outOffset, scannedTo } = tail
  const isScanning = scannedTo > outOffset
  const first = isScanning ? undefined : await readLines(needs, tail, CHUNK_BYTES)
  const found = first?.out ?? (await needs.host.read(hostOf(tail.session), 'out', scannedTo, CHUNK_BYTES))
  const isFull = found.length === CHUNK_BYTES
  const hasEnd = found.includes(LINE_FEED)
  const isEnough = hasEnd || !isFull || tail.conversation.dialogue === undefined
  if (first !== undefined && isEnough) return { ...first, isFull, scannedTo }
  const most = PROTOCOL_LIMITS.maxLineBytes + CHUNK_BYTES
  const reached = scannedTo + found.length
  if (!hasEnd && !isFinished && reached - outOffset < most) {
    return { out: NOTHING, isContinued: false, isFull, scannedTo: reached }
  }
  const whole = await readLines(needs, tail, most)
  return { ...whole, isFull: whole.out.length === most || hasEnd, scannedTo }
}

/** Reads from the offset. The byte before it shows whether a line is being continued. */
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
  /** The program has exited and these are its last bytes. */
  readonly atEnd?: boolean
  readonly capped?: ReadonlySet<Spool>
}

function cut(
  needs: Needs,
  tail: Tail,
  chunks: Chunks,
  inputs: readonly PendingInput[],
  { hasMore, atEnd = false, capped = new Set() }: CutOptions,
): SpoolRead {
  const { session, outOffset, errOffset } = tail
  const limits = tail.conversation.dialogue === undefined ? PLAIN_LIMITS : PROTOCOL_LIMITS
  const continued = chunks.isContinued
  const out = cutLines(chunks.out, { ...limits, atEnd, continued, isCapped: capped.has('out') })
  const err = cutLines(chunks.err, { ...PLAIN_LIMITS, atEnd, isCapped: capped.has('err') })
  if (out.consumed === 0 && err.consumed === 0 && inputs.length === 0) {
    return { ...nothingFrom(tail), hasMore, scannedTo: chunks.scannedTo }
  }
  const heard = hearProgram(needs, tail, out.lines, inputs)
  const problems = err.lines.map((line): Reported => {
    const text = redactPlainLine(needs.settings.redaction, line)
    return { event: { type: 'error-output', text }, isPiece: line.truncated }
  })
  const progress: SpoolProgress = {
    sessionId: session.id,
    fromOut: outOffset,
    toOut: outOffset + out.consumed,
    fromErr: errOffset,
    toErr: errOffset + err.consumed,
    events: eventsOf(tail, [...calm(heard.reported, out.lines), ...calm(problems, err.lines)]),
    ...withSetupIn(err.lines, tail.conversation, heard.conversation),
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

/** The conversation to store after these lines of error output; none if neither they nor the program changed it. */
function withSetupIn(
  lines: readonly SpoolLine[],
  before: ConversationState,
  heard: ConversationState | undefined,
): Pick<SpoolProgress, 'conversation'> {
  const setup = lines.reduce((progress, { text }) => nextSetupProgress(progress, text), before.setup)
  if (setup !== undefined && setup !== before.setup) return { conversation: { ...(heard ?? before), setup } }
  return heard === undefined ? {} : { conversation: heard }
}

function isFlood(lines: readonly SpoolLine[]): boolean {
  return lines.length === PLAIN_LIMITS.maxLines
}

function calm(reported: readonly Reported[], lines: readonly SpoolLine[]): readonly Reported[] {
  return isFlood(lines) ? mergeRuns(reported) : reported
}

function eventsOf({ session, cycle, taskId }: Tail, reported: readonly Reported[]): SpoolProgress['events'] {
  const place = sessionPlace(session, {
    ...(cycle === undefined ? {} : { cycle }),
    ...(taskId === undefined ? {} : { taskId }),
  })
  const { speaks } = rulesOf(session)
  return reported.map(({ event, isPiece }) =>
    speaks
      ? agentMessage(place, session, event, isPiece)
      : checkPrinted(place, 'text' in event ? event.text : ''),
  )
}
