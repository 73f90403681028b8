import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionId } from '../../../domain/id.ts'
import { RETRY_LIMITS } from '../../../domain/limits/retry-limits.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { SessionEnd } from '../../../domain/session/session-state.ts'
import type { TurnOutcome } from '../../../domain/session/turn-outcome.ts'
import type { PendingInput } from '../../../ports/store/session-records.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { endSession } from '../end/end-session.ts'
import { hostOf } from '../host-of.ts'
import { renewLife } from '../start/renew-life.ts'
import { adoptTail } from './adopt-tail.ts'
import { type AdoptedTail, isFull, isReadable, movedOn } from './adopted-tail.ts'
import { createBatchRoom } from './batch-room.ts'
import { DueLooks } from './due-looks.ts'
import { reactToTurn } from './react-to-turn.ts'
import { nothingFrom, readSpools, type SpoolRead } from './read-spools.ts'
import { requestApprovals } from './request-approvals.ts'
import { SpendWatch } from './spend-watch.ts'

type Needs = Pick<
  EngineNeeds,
  | 'store'
  | 'host'
  | 'providers'
  | 'clock'
  | 'ids'
  | 'log'
  | 'crash'
  | 'settings'
  | 'wakeAt'
  | 'mail'
  | 'roles'
> & {
  /** Sessions on terminals have no spools: somebody else sees to them. */
  readonly adoptTerminal: (session: Session) => void
}

const RETRY_MS = 500
/** Read side by side, and looked at before the next: what a batch may take beyond its bounds. */
const READ_AT_ONCE = 4
/** The more sessions print at once, the longer their lines are gathered: each reading costs about as much. */
const GATHER_MS_EACH = 0.5
const MOST_GATHER_MS = 100
const FEW_SESSIONS = 8

/**
 * Turns what sessions print into events. One batch is stored at a time, for all sessions that have something
 * new: while it is being stored the next one gathers, so that a busy daemon commits less often, not later.
 */
export class SessionTails implements AsyncDisposable {
  readonly #needs: Needs
  readonly #tails = new Map<SessionId, AdoptedTail>()
  readonly #adopting = new Set<SessionId>()
  readonly #grown = new Set<SessionId>()
  /** Sessions for which something to say may have been stored. */
  readonly #called = new Set<SessionId>()
  readonly #troubles = new Map<SessionId, number>()
  /** The turn's end whose consequence was drawn last. */
  readonly #turns = new Map<SessionId, TurnOutcome>()
  readonly #dueLooks = new DueLooks((sessionId) => this.#wake(sessionId))
  #pumping: Promise<void> | undefined
  readonly #closing = new AbortController()
  readonly #spending: SpendWatch

  constructor(needs: Needs) {
    this.#needs = needs
    this.#spending = new SpendWatch(needs)
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
    this.#dueLooks[Symbol.dispose]()
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
    const tail = await adoptTail(this.#needs, session, {
      onChange: () => this.#wake(sessionId),
      isReady: () => this.#tails.get(sessionId)?.talk.providerSessionId !== undefined,
    })
    this.#tails.set(sessionId, tail)
    this.#needs.mail.adopt(session)
    this.#wake(sessionId)
  }

  #release(sessionId: SessionId): void {
    const tail = this.#tails.get(sessionId)
    if (tail === undefined) return
    tail.watch[Symbol.dispose]()
    tail.deadlines[Symbol.dispose]()
    this.#needs.mail.release(sessionId)
    this.#tails.delete(sessionId)
    this.#grown.delete(sessionId)
    this.#dueLooks.delete(sessionId)
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
        const begun = performance.now()
        const count = await this.#storeBatch()
        const gatherMs = Math.min(count * GATHER_MS_EACH, MOST_GATHER_MS) - (performance.now() - begun)
        if (count > FEW_SESSIONS && gatherMs > 1) await sleep(gatherMs)
      } catch (error) {
        // The database is away or the disk is full. Nothing is lost: the spools and the offsets are durable.
        this.#needs.log.warn({ error: String(error) }, 'agent output not stored yet')
        await sleep(RETRY_MS)
      }
    }
  }

  /** Tells how many sessions had something. */
  async #storeBatch(): Promise<number> {
    const woken: SessionId[] = []
    const called: SessionId[] = []
    try {
      const reads = await this.#readBatch(woken, called)
      if (reads.some((read) => read.progress !== undefined)) await this.#store(reads)
      for (const read of reads) {
        this.#note(read)
        await this.#say(read.sessionId)
        await this.#react(read.sessionId)
        if (read.end !== undefined) await this.#end(read.sessionId, read.end)
      }
      return reads.length
    } catch (error) {
      for (const sessionId of woken) this.#grown.add(sessionId)
      for (const sessionId of called) this.#called.add(sessionId)
      throw error
    }
  }

  /** Takes sessions in the order of their waking until there is enough to store; the rest come first next time. */
  async #readBatch(woken: SessionId[], called: SessionId[]): Promise<readonly SpoolRead[]> {
    const waiting = [...this.#grown]
    const reads: SpoolRead[] = []
    const room = createBatchRoom()
    while (waiting.length > 0 && room.isLeft()) {
      const group = waiting.splice(0, READ_AT_ONCE)
      for (const sessionId of group) {
        this.#grown.delete(sessionId)
        woken.push(sessionId)
        if (this.#called.delete(sessionId)) called.push(sessionId)
      }
      const inputs = await this.#inputsFor(called.filter((sessionId) => group.includes(sessionId)))
      const tails = group.map((id) => this.#tails.get(id)).filter((tail) => tail !== undefined)
      const found = await Promise.all(tails.map((tail) => this.#read(tail, inputs)))
      for (const read of found.filter((one) => one !== undefined)) {
        reads.push(read)
        room.take(read)
      }
    }
    return reads
  }

  #note({ sessionId, scannedTo, lookedAt, hasMore, isLookDue, requests }: SpoolRead): void {
    const tail = this.#tails.get(sessionId)
    if (tail === undefined) return
    this.#tails.set(sessionId, { ...tail, scannedTo, lookedAt })
    if (hasMore || requests.length > 0) this.#grown.add(sessionId)
    // Some of what was asked may have been answered at once.
    if (requests.length > 0) this.#called.add(sessionId)
    if (isLookDue) this.#dueLooks.add(sessionId)
    else this.#dueLooks.delete(sessionId)
  }

  /** One session whose files cannot be read holds up no other: it is tried for a while, then lost by itself. */
  async #read(tail: AdoptedTail, inputs: readonly PendingInput[]): Promise<SpoolRead | undefined> {
    const sessionId = tail.session.id
    try {
      await this.#say(sessionId)
      const own = inputs.filter((input) => input.sessionId === sessionId)
      const read = await readSpools(this.#needs, tail, own)
      this.#troubles.delete(sessionId)
      return read
    } catch (error) {
      const times = (this.#troubles.get(sessionId) ?? 0) + 1
      this.#troubles.set(sessionId, times)
      this.#needs.log.warn({ sessionId, times, error: String(error) }, 'a session could not be read')
      if (times >= RETRY_LIMITS.spoolReads) {
        await this.#needs.host.stop(hostOf(tail.session), 0)
        return { ...nothingFrom(tail), end: { type: 'lost', reason: `its files cannot be read: ${error}` } }
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
      this.#spending.note(tail.payer, tail.talk, entry.talk)
      this.#tails.set(entry.sessionId, movedOn(tail, entry))
    }
  }

  /** After the commit; done again by whoever adopts the session after a death, to the same effect. */
  async #say(sessionId: SessionId): Promise<void> {
    const tail = this.#tails.get(sessionId)
    if (tail === undefined || tail.isSaid) return
    const { session, talk } = tail
    this.#needs.crash.reach('talk.before-words')
    await this.#needs.host.write(hostOf(session), talk.unsaidAt, new TextEncoder().encode(talk.unsaid))
    this.#tails.set(sessionId, { ...tail, isSaid: true })
  }

  /** Draws the consequence of a turn that ended; a death before is made good by whoever adopts the session. */
  async #react(sessionId: SessionId): Promise<void> {
    const tail = this.#tails.get(sessionId)
    if (tail === undefined) return
    const { session, talk } = tail
    if (await isFull(this.#needs, tail)) return renewLife(this.#needs, sessionId)
    if (talk.turn === undefined || talk.openTurns > 0 || talk.turn === this.#turns.get(sessionId)) return
    this.#needs.crash.reach('talk.before-consequence')
    // What was left in the outbox as the last act of the turn may change what follows from it.
    await this.#needs.mail.collect(session)
    await reactToTurn(this.#needs, sessionId)
    this.#turns.set(sessionId, talk.turn)
  }

  async #inputsFor(sessionIds: readonly SessionId[]): Promise<readonly PendingInput[]> {
    const spoken = sessionIds.filter((id) => this.#tails.get(id)?.talk.dialogue !== undefined)
    return spoken.length === 0 ? [] : await this.#needs.store.read.sessions.pendingInputs(spoken)
  }

  async #end(sessionId: SessionId, end: SessionEnd): Promise<void> {
    const tail = this.#tails.get(sessionId)
    if (tail !== undefined) await this.#needs.mail.collect(tail.session)
    await endSession(this.#needs, sessionId, end, tail?.session.life)
    this.#release(sessionId)
    // One that rested may have been started again before it was released.
    this.adopt(sessionId)
  }
}
