import { assertNever } from '../../domain/assert-never.ts'
import type { AgentEvent } from '../../domain/event/agent-event.ts'
import type { NewEvent } from '../../domain/event/job-event.ts'
import type { SessionId, TaskId } from '../../domain/id.ts'
import type { Session } from '../../domain/session/session.ts'
import type { SessionEnd } from '../../domain/session/session-state.ts'
import type { Talk } from '../../domain/session/talk.ts'
import type { HostSight } from '../../ports/session-host.ts'
import type { PendingInput, SpoolProgress } from '../../ports/store/session-records.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { HANDOFF_REQUEST } from '../prompts/handoff-prompt.ts'
import { Conversation } from './conversation.ts'
import { hostOf } from './host-of.ts'
import { placeOf } from './place-of.ts'
import { cutLines, type SpoolLine } from './spool-lines.ts'

type Needs = Pick<EngineNeeds, 'host' | 'providers' | 'settings'>

/** Where one session's spools have been read up to, and what its lines belong to. */
export type Tail = {
  readonly session: Session
  readonly cycle?: number
  readonly taskId?: TaskId
  readonly outOffset: number
  readonly errOffset: number
  readonly talk: Talk
}

export type PermissionRequest = Extract<AgentEvent, { type: 'permission-request' }>

export type SpoolRead = {
  readonly sessionId: SessionId
  /** Absent when there was nothing to store. */
  readonly progress?: SpoolProgress
  /** What the program wants to be allowed. */
  readonly requests: readonly PermissionRequest[]
  readonly hasMore: boolean
  /** Present when the program is over and every line of it has been stored. */
  readonly end?: SessionEnd
}

const CHUNK_BYTES = 256 * 1024
/** Bounds a batch: short lines by their number, long ones by their length. */
const PLAIN_LIMITS = { maxLineBytes: 128 * 1024, maxLines: 8_000 }
/** A line of a protocol means something only as a whole, and may hold a whole file. */
const SPOKEN_LIMITS = { maxLineBytes: 8 * 1024 * 1024, maxLines: 2_000 }

/** Reads what is new in both spools of a session; looks at the program only when they seem drained. */
export async function readSpools(
  needs: Needs,
  tail: Tail,
  inputs: readonly PendingInput[] = [],
): Promise<SpoolRead> {
  const sessionId = tail.session.id
  const first = await readBoth(needs, tail)
  // The program's end is looked at before the spools are taken as complete: what it printed is there by then.
  const sight = first.isFull ? undefined : await needs.host.look(hostOf(tail.session))
  const end = sight === undefined ? undefined : endOf(sight, tail.session)
  if (end === undefined) return cut(needs, tail, first, inputs, { hasMore: first.isFull, atEnd: false })

  const all = await readBoth(needs, tail)
  if (all.out.length === 0 && all.err.length === 0) return { sessionId, requests: [], hasMore: false, end }
  return { ...cut(needs, tail, all, inputs, { hasMore: true, atEnd: !all.isFull }), hasMore: true }
}

type Chunks = { readonly out: Uint8Array; readonly err: Uint8Array; readonly isFull: boolean }

async function readBoth(needs: Needs, tail: Tail): Promise<Chunks> {
  const hostId = hostOf(tail.session)
  const [out, err] = await Promise.all([
    readOut(needs, tail),
    needs.host.read(hostId, 'err', tail.errOffset, CHUNK_BYTES),
  ])
  return { out: out.bytes, err, isFull: out.isFull || err.length === CHUNK_BYTES }
}

type Chunk = { readonly bytes: Uint8Array; readonly isFull: boolean }

/** A line of a protocol may be longer than a chunk: then more is read, up to the longest that is understood. */
async function readOut(needs: Needs, tail: Tail): Promise<Chunk> {
  const hostId = hostOf(tail.session)
  const bytes = await needs.host.read(hostId, 'out', tail.outOffset, CHUNK_BYTES)
  const isFull = bytes.length === CHUNK_BYTES
  if (!isFull || tail.talk.dialogue === undefined || bytes.includes(LINE_FEED)) return { bytes, isFull }
  const most = SPOKEN_LIMITS.maxLineBytes + CHUNK_BYTES
  const longer = await needs.host.read(hostId, 'out', tail.outOffset, most)
  // Half a line of a program that is still printing is no reason to look again at once.
  return { bytes: longer, isFull: longer.length === most || longer.includes(LINE_FEED) }
}

const LINE_FEED = 0x0a

function cut(
  needs: Needs,
  tail: Tail,
  chunks: Chunks,
  inputs: readonly PendingInput[],
  { hasMore, atEnd }: { readonly hasMore: boolean; readonly atEnd: boolean },
): SpoolRead {
  const sessionId = tail.session.id
  const limits = tail.talk.dialogue === undefined ? PLAIN_LIMITS : SPOKEN_LIMITS
  const out = cutLines(chunks.out, { ...limits, atEnd })
  const err = cutLines(chunks.err, { ...PLAIN_LIMITS, atEnd })
  if (out.consumed === 0 && err.consumed === 0 && inputs.length === 0) {
    return { sessionId, requests: [], hasMore: hasMore && atEnd }
  }
  const heard = listen(needs, tail, out.lines, inputs)
  const progress: SpoolProgress = {
    sessionId,
    fromOut: tail.outOffset,
    toOut: tail.outOffset + out.consumed,
    fromErr: tail.errOffset,
    toErr: tail.errOffset + err.consumed,
    events: [
      ...heard.events,
      ...err.lines.map((line) => eventOf(tail, { type: 'error-output', text: line.text }, line)),
    ],
    ...(heard.talk === undefined ? {} : { talk: heard.talk }),
    ...(inputs.length === 0 ? {} : { said: inputs.map((input) => input.id) }),
  }
  const isCutShort = out.lines.length === limits.maxLines || err.lines.length === PLAIN_LIMITS.maxLines
  return { sessionId, progress, requests: heard.requests, hasMore: hasMore || isCutShort }
}

type Heard = {
  readonly events: readonly NewEvent[]
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
    return {
      events: lines.flatMap((line) => read(line).map((event) => eventOf(tail, event, line))),
      requests: [],
    }
  }
  const conversation = new Conversation(dialogue, tail.talk)
  const requests: PermissionRequest[] = []
  const noted = (heard: readonly AgentEvent[], line?: SpoolLine): readonly NewEvent[] => {
    requests.push(...heard.filter((event) => event.type === 'permission-request'))
    return heard.map((event) => eventOf(tail, event, line))
  }
  const events = lines.flatMap((line) =>
    line.truncated
      ? [eventOf(tail, { type: 'text', text: line.text.slice(0, PLAIN_LIMITS.maxLineBytes) }, line)]
      : noted(conversation.hear(line.text), line),
  )
  askToHandOff(needs, tail, conversation)
  const answers = inputs.flatMap(({ input }) => noted(conversation.give(input)))
  return { events: [...events, ...answers], requests, talk: conversation.talk }
}

/** A session is asked once, in the middle of its turn if need be: later its program would cut it by itself. */
function askToHandOff(needs: Needs, tail: Tail, conversation: Conversation): void {
  const { contextTokens, contextWindow, openTurns, isAskedToHandOff } = conversation.talk
  if (tail.session.purpose.type !== 'attempt' || isAskedToHandOff === true || openTurns === 0) return
  if (contextTokens === undefined || contextWindow === undefined || contextWindow <= 0) return
  if (contextTokens / contextWindow < needs.settings.handoffShare) return
  conversation.askToHandOff(HANDOFF_REQUEST)
}

function eventOf(tail: Tail, event: AgentEvent, line?: SpoolLine): NewEvent {
  const { session } = tail
  const place = {
    ...placeOf(session),
    ...(tail.cycle === undefined ? {} : { cycle: tail.cycle }),
    ...(tail.taskId === undefined ? {} : { taskId: tail.taskId }),
  }
  if (session.purpose.type === 'check') {
    const message = 'text' in event ? event.text : ''
    return { ...place, type: 'task_progress', data: { source: 'check', message } }
  }
  return {
    ...place,
    type: 'agent_message',
    data: {
      ...event,
      agent: session.agentName,
      role: session.role,
      ...(line?.truncated === true ? { isPiece: true } : {}),
    },
  }
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
