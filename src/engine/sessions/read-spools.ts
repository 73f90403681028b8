import { assertNever } from '../../domain/assert-never.ts'
import type { AgentEvent } from '../../domain/event/agent-event.ts'
import type { NewEvent } from '../../domain/event/job-event.ts'
import type { AttemptId, SessionId, TaskId } from '../../domain/id.ts'
import type { Session } from '../../domain/session/session.ts'
import type { SessionEnd } from '../../domain/session/session-state.ts'
import type { HostSight, Spool } from '../../ports/session-host.ts'
import type { SpoolProgress } from '../../ports/store/session-records.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { cutLines, type SpoolLine } from './spool-lines.ts'

type Needs = Pick<EngineNeeds, 'host' | 'providers'>

/** Where one session's spools have been read up to, and what its lines belong to. */
export type Tail = {
  readonly session: Session
  readonly cycle?: number
  readonly taskId?: TaskId
  readonly attemptId?: AttemptId
  readonly outOffset: number
  readonly errOffset: number
}

export type SpoolRead = {
  readonly sessionId: SessionId
  /** Absent when there was nothing to store. */
  readonly progress?: SpoolProgress
  readonly hasMore: boolean
  /** Present when the program is over and every line of it has been stored. */
  readonly end?: SessionEnd
}

const CHUNK_BYTES = 256 * 1024
/** Bounds a batch: short lines by their number, long ones by their length. */
const LINE_LIMITS = { maxLineBytes: 128 * 1024, maxLines: 8_000 }

/** Reads what is new in both spools of a session; looks at the program only when they seem drained. */
export async function readSpools(needs: Needs, tail: Tail): Promise<SpoolRead> {
  const sessionId = tail.session.id
  const [outBytes, errBytes] = await readBoth(needs, tail)
  const isFull = outBytes.length === CHUNK_BYTES || errBytes.length === CHUNK_BYTES
  // The program's end is looked at before the spools are taken as complete: what it printed is there by then.
  const sight = isFull ? undefined : await needs.host.look(sessionId)
  const end = sight === undefined ? undefined : endOf(sight, tail.session)
  if (end === undefined) return cut(needs, tail, outBytes, errBytes, isFull)

  const [allOut, allErr] = await readBoth(needs, tail)
  if (allOut.length === 0 && allErr.length === 0) return { sessionId, hasMore: false, end }
  const isLast = allOut.length < CHUNK_BYTES && allErr.length < CHUNK_BYTES
  return { ...cut(needs, tail, allOut, allErr, true, isLast), hasMore: true }
}

function readBoth(needs: Needs, tail: Tail): Promise<[Uint8Array, Uint8Array]> {
  return Promise.all([
    needs.host.read(tail.session.id, 'out', tail.outOffset, CHUNK_BYTES),
    needs.host.read(tail.session.id, 'err', tail.errOffset, CHUNK_BYTES),
  ])
}

function cut(
  needs: Needs,
  tail: Tail,
  outBytes: Uint8Array,
  errBytes: Uint8Array,
  hasMore: boolean,
  atEnd = false,
): SpoolRead {
  const out = cutLines(outBytes, { ...LINE_LIMITS, atEnd })
  const err = cutLines(errBytes, { ...LINE_LIMITS, atEnd })
  const sessionId = tail.session.id
  if (out.consumed === 0 && err.consumed === 0) return { sessionId, hasMore: hasMore && atEnd }
  const events = [
    ...out.lines.flatMap((line) => eventsOf(needs, tail, 'out', line)),
    ...err.lines.flatMap((line) => eventsOf(needs, tail, 'err', line)),
  ]
  const progress: SpoolProgress = {
    sessionId,
    fromOut: tail.outOffset,
    toOut: tail.outOffset + out.consumed,
    fromErr: tail.errOffset,
    toErr: tail.errOffset + err.consumed,
    events,
  }
  const isCutShort = out.lines.length === LINE_LIMITS.maxLines || err.lines.length === LINE_LIMITS.maxLines
  return { sessionId, progress, hasMore: hasMore || isCutShort }
}

function eventsOf(needs: Needs, tail: Tail, spool: Spool, line: SpoolLine): readonly NewEvent[] {
  const { session } = tail
  const place = {
    jobId: session.jobId,
    sessionId: session.id,
    ...(tail.cycle === undefined ? {} : { cycle: tail.cycle }),
    ...(tail.taskId === undefined ? {} : { taskId: tail.taskId }),
    ...(tail.attemptId === undefined ? {} : { attemptId: tail.attemptId }),
  }
  if (session.purpose.type === 'check') {
    return [{ ...place, type: 'task_progress', data: { source: 'check', message: line.text } }]
  }
  const author = { agent: session.agentName, role: session.role }
  return meaningOf(needs, tail, spool, line).map((event) => ({
    ...place,
    type: 'agent_message',
    data: { ...event, ...author, ...(line.truncated ? { isPiece: true } : {}) },
  }))
}

/** A provider sees whole lines of standard output; pieces of an over-long one, and errors, are plain text. */
function meaningOf(needs: Needs, tail: Tail, spool: Spool, line: SpoolLine): readonly AgentEvent[] {
  if (spool === 'err') return [{ type: 'error-output', text: line.text }]
  const provider = line.truncated ? undefined : needs.providers.get(tail.session.provider)
  return provider === undefined ? [{ type: 'text', text: line.text }] : provider.readLine(line.text)
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
