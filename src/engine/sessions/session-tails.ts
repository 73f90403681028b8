import type { SessionId } from '../../domain/id.ts'
import type { Session } from '../../domain/session/session.ts'
import type { SessionEnd } from '../../domain/session/session-state.ts'
import type { TurnOutcome } from '../../domain/session/turn-outcome.ts'
import type { PendingInput } from '../../ports/store/session-records.ts'
import { requestApprovals } from '../approvals/request-approvals.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { endSession } from './end-session.ts'
import { hostOf } from './host-of.ts'
import { reactToTurn } from './react-to-turn.ts'
import { readSpools, type SpoolRead, type Tail } from './read-spools.ts'
import { requestStop } from './stop-session.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'host' | 'providers' | 'clock' | 'ids' | 'log' | 'crash' | 'settings' | 'wakeAt' | 'mail'
> & {
  /** Sessions on terminals have no spools: somebody else sees to them. */
  readonly adoptTerminal: (session: Session) => void
}

const RETRY_MS = 500
const MAX_TROUBLES = 10

type Adopted = Tail & {
  readonly watch: Disposable
  readonly deadline: NodeJS.Timeout | undefined
  /** Whether the last words of its talk are surely in the program's input. */
  readonly isSaid: boolean
}

/**
 * Turns what sessions print into events. One batch is stored at a time, for all sessions that have something
 * new: while it is being stored the next one gathers, so that a busy daemon commits less often, not later.
 */
export class SessionTails implements AsyncDisposable {
  readonly #needs: Needs
  readonly #tails = new Map<SessionId, Adopted>()
  readonly #adopting = new Set<SessionId>()
  readonly #grown = new Set<SessionId>()
  /** Sessions for which something to say may have been stored. */
  readonly #called = new Set<SessionId>()
  readonly #troubles = new Map<SessionId, number>()
  /** The turn's end whose consequence was drawn last. */
  readonly #turns = new Map<SessionId, TurnOutcome>()
  #pumping: Promise<void> | undefined
  readonly #closing = new AbortController()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /**
   * Reads a session's spools from where they were last stored, and says to its program what waits to be said.
   * Harmless when already done.
   */
  adopt(sessionId: SessionId): void {
    if (this.#closing.signal.aborted) return
    this.#called.add(sessionId)
    if (this.#adopting.has(sessionId)) return
    if (this.#tails.has(sessionId)) {
      this.#wake(sessionId)
      return
    }
    this.#adopting.add(sessionId)
    this.#open(sessionId)
      .catch((error: unknown) => {
        this.#needs.log.warn({ sessionId, error: String(error) }, 'session could not be adopted yet')
        setTimeout(() => this.adopt(sessionId), RETRY_MS).unref()
      })
      .finally(() => this.#adopting.delete(sessionId))
  }

  get size(): number {
    return this.#tails.size
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    for (const sessionId of [...this.#tails.keys()]) this.#release(sessionId)
    await this.#pumping
  }

  async #open(sessionId: SessionId): Promise<void> {
    const session = await this.#needs.store.read.sessions.find(sessionId)
    if (session === undefined || !isReadable(session) || this.#closing.signal.aborted) {
      this.#called.delete(sessionId)
      return
    }
    if (session.mode === 'interactive') {
      this.#called.delete(sessionId)
      return this.#needs.adoptTerminal(session)
    }
    const attempt =
      session.purpose.type === 'attempt'
        ? await this.#needs.store.read.attempts.find(session.purpose.attemptId)
        : undefined
    const landing =
      session.purpose.type === 'check'
        ? await this.#needs.store.read.landings.find(session.purpose.landingId)
        : undefined
    const taskId = attempt?.taskId ?? landing?.taskId
    const cycle =
      attempt === undefined ? undefined : await this.#needs.store.read.cycles.find(attempt.cycleId)
    this.#tails.set(sessionId, {
      session,
      ...(taskId === undefined ? {} : { taskId }),
      ...(cycle === undefined ? {} : { cycle: cycle.number }),
      outOffset: session.outOffset,
      errOffset: session.errOffset,
      talk: session.talk,
      isSaid: session.talk.unsaid === '',
      watch: this.#needs.host.watch(hostOf(session), () => this.#wake(sessionId)),
      deadline: this.#armDeadline(session),
    })
    this.#needs.mail.adopt(session)
    this.#wake(sessionId)
  }

  #armDeadline(session: Session): NodeJS.Timeout | undefined {
    if (session.deadline === undefined) return undefined
    const afterMs = session.deadline.getTime() - (session.startedAt ?? session.createdAt).getTime()
    const leftMs = session.deadline.getTime() - this.#needs.clock.now().getTime()
    const stop = () => {
      requestStop(this.#needs, session.id, { type: 'timed-out', afterMs }).catch((error: unknown) => {
        this.#needs.log.warn({ sessionId: session.id, error: String(error) }, 'deadline not recorded yet')
        setTimeout(stop, RETRY_MS).unref()
      })
    }
    return setTimeout(stop, Math.min(Math.max(leftMs, 0), 2 ** 31 - 1)).unref()
  }

  #release(sessionId: SessionId): void {
    const tail = this.#tails.get(sessionId)
    if (tail === undefined) return
    tail.watch[Symbol.dispose]()
    clearTimeout(tail.deadline)
    this.#needs.mail.release(sessionId)
    this.#tails.delete(sessionId)
    this.#grown.delete(sessionId)
    this.#called.delete(sessionId)
    this.#troubles.delete(sessionId)
    this.#turns.delete(sessionId)
  }

  #wake(sessionId: SessionId): void {
    this.#grown.add(sessionId)
    this.#pumping ??= this.#pump().finally(() => {
      this.#pumping = undefined
      if (this.#grown.size > 0 && !this.#closing.signal.aborted) this.#wake([...this.#grown][0] as SessionId)
    })
  }

  async #pump(): Promise<void> {
    while (this.#grown.size > 0 && !this.#closing.signal.aborted) {
      try {
        await this.#storeBatch()
      } catch (error) {
        // The database is away or the disk is full. Nothing is lost: the spools and the offsets are durable.
        this.#needs.log.warn({ error: String(error) }, 'agent output not stored yet')
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  async #storeBatch(): Promise<void> {
    const batch = [...this.#grown].map((id) => this.#tails.get(id)).filter((tail) => tail !== undefined)
    const woken = new Set(this.#grown)
    const called = [...this.#called]
    this.#grown.clear()
    this.#called.clear()
    try {
      const inputs = await this.#inputsFor(called)
      const found = await Promise.all(batch.map((tail) => this.#read(tail, inputs)))
      const reads = found.filter((read) => read !== undefined)
      if (reads.some((read) => read.progress !== undefined)) await this.#store(reads)
      for (const read of reads) {
        if (read.hasMore) this.#grown.add(read.sessionId)
        await this.#speak(read.sessionId)
        if (read.end !== undefined) await this.#end(read.sessionId, read.end)
      }
    } catch (error) {
      for (const sessionId of woken) this.#grown.add(sessionId)
      for (const sessionId of called) this.#called.add(sessionId)
      throw error
    }
  }

  /** One session whose files cannot be read holds up no other: it is tried for a while, then lost by itself. */
  async #read(tail: Adopted, inputs: readonly PendingInput[]): Promise<SpoolRead | undefined> {
    const sessionId = tail.session.id
    try {
      await this.#speak(sessionId)
      const own = inputs.filter((input) => input.sessionId === sessionId)
      const read = await readSpools(this.#needs, tail, own)
      this.#troubles.delete(sessionId)
      return read
    } catch (error) {
      const times = (this.#troubles.get(sessionId) ?? 0) + 1
      this.#troubles.set(sessionId, times)
      this.#needs.log.warn({ sessionId, times, error: String(error) }, 'a session could not be read')
      if (times >= MAX_TROUBLES) {
        await this.#needs.host.stop(hostOf(tail.session), 0)
        return {
          sessionId,
          requests: [],
          hasMore: false,
          end: { type: 'lost', reason: `its files cannot be read: ${error}` },
        }
      }
      setTimeout(() => this.adopt(sessionId), RETRY_MS).unref()
      return undefined
    }
  }

  /** Lines and offsets are stored in one transaction: a line is an event exactly once, whenever we die. */
  async #store(reads: readonly SpoolRead[]): Promise<void> {
    const progress = reads.flatMap((read) => (read.progress === undefined ? [] : [read.progress]))
    const stored = await this.#needs.store.transact(async (records) => {
      const moved = new Set(await records.sessions.advance(progress))
      for (const read of reads) {
        const session = this.#tails.get(read.sessionId)?.session
        if (session === undefined || !moved.has(read.sessionId)) continue
        await requestApprovals(this.#needs, records, session, read.requests)
      }
      this.#needs.crash.reach('session-tail.before-commit')
      return moved
    })
    for (const entry of progress) {
      const tail = this.#tails.get(entry.sessionId)
      if (tail === undefined) continue
      // Somebody else moved the offsets: read them afresh instead of guessing.
      if (!stored.has(entry.sessionId)) {
        this.#release(entry.sessionId)
        this.adopt(entry.sessionId)
        continue
      }
      this.#tails.set(entry.sessionId, {
        ...tail,
        outOffset: entry.toOut,
        errOffset: entry.toErr,
        ...(entry.talk === undefined ? {} : { talk: entry.talk, isSaid: entry.talk.unsaid === '' }),
      })
    }
  }

  /**
   * Writes the last words of a conversation into the program's input, and draws the consequence of a turn that
   * ended. Both come after the commit, and both are done again by whoever adopts the session after a death.
   */
  async #speak(sessionId: SessionId): Promise<void> {
    const tail = this.#tails.get(sessionId)
    if (tail === undefined) return
    const { session, talk } = tail
    if (!tail.isSaid) {
      this.#needs.crash.reach('talk.before-words')
      await this.#needs.host.write(hostOf(session), talk.unsaidAt, new TextEncoder().encode(talk.unsaid))
      this.#tails.set(sessionId, { ...tail, isSaid: true })
    }
    if (talk.turn !== undefined && talk.openTurns === 0 && talk.turn !== this.#turns.get(sessionId)) {
      this.#needs.crash.reach('talk.before-consequence')
      await reactToTurn(this.#needs, sessionId)
      this.#turns.set(sessionId, talk.turn)
    }
  }

  async #inputsFor(sessionIds: readonly SessionId[]): Promise<readonly PendingInput[]> {
    const spoken = sessionIds.filter((id) => this.#tails.get(id)?.talk.dialogue !== undefined)
    return spoken.length === 0 ? [] : await this.#needs.store.read.sessions.pendingInputs(spoken)
  }

  async #end(sessionId: SessionId, end: SessionEnd): Promise<void> {
    const tail = this.#tails.get(sessionId)
    if (tail !== undefined) await this.#needs.mail.collect(tail.session)
    await endSession(this.#needs, sessionId, end)
    this.#release(sessionId)
    // One that rested may have been started again before it was released.
    this.adopt(sessionId)
  }
}

/** A session whose program may still have something to say: one that rests has said it all. */
function isReadable({ state }: Session): boolean {
  if (state.type === 'suspended') return !state.isOver
  return state.type !== 'terminated'
}
