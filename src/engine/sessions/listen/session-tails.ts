import type { SessionId } from '../../../domain/id.ts'
import { SESSION_LIMITS } from '../../../domain/limits/session-limits.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { SessionEnd } from '../../../domain/session/session-state.ts'
import type { PendingInput } from '../../../ports/store/session-records.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { endSession } from '../end/end-session.ts'
import { suspendExitedIfUnready } from '../end/suspend-if-unready.ts'
import { hostOf } from '../host-of.ts'
import { adoptTail } from './adopt-tail.ts'
import { type AdoptedTail, isReadable, movedOn } from './adopted-tail.ts'
import { createBatchRoom } from './batch-room.ts'
import { CaughtUp } from './caught-up.ts'
import { CollectedOutboxes } from './collected-outboxes.ts'
import { DueInspections } from './due-inspections.ts'
import { FailedReads } from './failed-reads.ts'
import { readSpools, type SpoolRead } from './read-spools.ts'
import { SpendWatch } from './spend-watch.ts'
import { storeReads } from './store-reads.ts'
import { TurnReactions } from './turn-reactions.ts'
import { WokenSessions } from './woken-sessions.ts'

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
  | 'outboxes'
  | 'assignments'
  | 'configuration'
  | 'sendWork'
> & {
  /** Sessions on terminals have no spools; TerminalWatches handles them. */
  readonly adoptTerminal: (session: Session) => void
}

/** How many sessions to read at once before checking the batch's size: it may exceed its bounds by this much. */
const READ_AT_ONCE = 4

/** Turns the output of sessions into events. It stores one batch at a time for all sessions with new output. */
export class SessionTails implements AsyncDisposable {
  readonly #needs: Needs
  readonly #tails = new Map<SessionId, AdoptedTail>()
  readonly #adopting = new Set<SessionId>()
  readonly #woken: WokenSessions
  /** Sessions that may have new input waiting in the store. */
  readonly #called = new Set<SessionId>()
  /** Half of the pause between retries, so that every retry counts. */
  readonly #failedReads = new FailedReads(SESSION_LIMITS.watchRetryMs / 2)
  readonly #dueInspections: DueInspections
  readonly #caughtUp = new CaughtUp()
  readonly #collectedOutboxes: CollectedOutboxes
  readonly #reactions: TurnReactions
  readonly #closing = new AbortController()
  readonly #spending: SpendWatch

  constructor(needs: Needs) {
    this.#needs = needs
    this.#spending = new SpendWatch(needs)
    this.#woken = new WokenSessions(needs, {
      handleBatch: () => this.#handleBatch(),
      retryMs: SESSION_LIMITS.watchRetryMs,
    })
    const wake = (sessionId: SessionId) => this.#woken.wake(sessionId)
    this.#dueInspections = new DueInspections(wake)
    this.#collectedOutboxes = new CollectedOutboxes(needs.outboxes, wake)
    this.#reactions = new TurnReactions(needs, this.#collectedOutboxes)
  }

  /** Starts reading a session's spools where the stored offsets end, and sends it waiting input. Idempotent. */
  adopt(sessionId: SessionId): void {
    if (this.#closing.signal.aborted) return
    this.#called.add(sessionId)
    if (this.#adopting.has(sessionId)) return
    if (this.#tails.has(sessionId)) {
      this.#woken.wake(sessionId)
      return
    }
    this.#adopting.add(sessionId)
    this.#open(sessionId)
      .catch((error: unknown) => {
        this.#needs.log.warn({ sessionId, error: String(error) }, 'could not adopt a session; will retry')
        this.#adoptLater(sessionId)
      })
      .finally(() => this.#adopting.delete(sessionId))
  }

  #adoptLater(sessionId: SessionId): void {
    setTimeout(() => this.adopt(sessionId), SESSION_LIMITS.watchRetryMs).unref()
  }

  get size(): number {
    return this.#tails.size
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    this.#dueInspections[Symbol.dispose]()
    for (const sessionId of [...this.#tails.keys()]) this.#release(sessionId)
    await this.#woken[Symbol.asyncDispose]()
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
      wake: () => this.#woken.wake(sessionId),
      send: () => this.adopt(sessionId),
      hasCaughtUp: (since) => this.#caughtUp.hasSince(sessionId, since),
      isReady: () => this.#tails.get(sessionId)?.conversation.providerSessionId !== undefined,
    })
    this.#tails.set(sessionId, tail)
    this.#needs.outboxes.adopt(session)
    this.#woken.wake(sessionId)
  }

  #release(sessionId: SessionId): void {
    const tail = this.#tails.get(sessionId)
    if (tail === undefined) return
    tail.watch[Symbol.dispose]()
    tail.deadlines[Symbol.dispose]()
    this.#needs.outboxes.release(sessionId)
    this.#tails.delete(sessionId)
    this.#woken.delete(sessionId)
    this.#dueInspections.delete(sessionId)
    this.#caughtUp.delete(sessionId)
    this.#called.delete(sessionId)
    this.#failedReads.delete(sessionId)
    this.#collectedOutboxes.delete(sessionId)
    this.#reactions.delete(sessionId)
  }

  /** Returns how many sessions had something to store. */
  async #handleBatch(): Promise<number> {
    const woken: SessionId[] = []
    const called: SessionId[] = []
    try {
      const reads = await this.#readBatch(woken, called)
      if (reads.some((read) => read.progress !== undefined)) await this.#store(reads)
      for (const read of reads) await this.#tryToFollow(read)
      return reads.length
    } catch (error) {
      for (const sessionId of woken) this.#woken.wake(sessionId)
      for (const sessionId of called) this.#called.add(sessionId)
      throw error
    }
  }

  /** If it fails, only this session is read again. */
  async #tryToFollow(read: SpoolRead): Promise<void> {
    const { sessionId } = read
    try {
      await this.#follow(read)
    } catch (error) {
      this.#needs.log.warn({ sessionId, error: String(error) }, 'could not act on agent output; will retry')
      this.#adoptLater(sessionId)
    }
  }

  /** What follows from something that was read. */
  async #follow(read: SpoolRead): Promise<void> {
    this.#note(read)
    await this.#say(read.sessionId)
    const tail = this.#tails.get(read.sessionId)
    if (tail !== undefined && !(await this.#reactions.react(tail))) return
    if (read.end !== undefined) await this.#end(read.sessionId, read.end)
    else this.#caughtUp.finish(read)
  }

  /** Reads sessions in the order they woke until the batch is full. The others come first next time. */
  async #readBatch(woken: SessionId[], called: SessionId[]): Promise<readonly SpoolRead[]> {
    const waiting = this.#woken.list()
    const reads: SpoolRead[] = []
    const room = createBatchRoom()
    while (waiting.length > 0 && room.isLeft()) {
      const group = waiting.splice(0, READ_AT_ONCE)
      for (const sessionId of group) {
        this.#woken.delete(sessionId)
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

  #note({ sessionId, scannedTo, inspectedAt, hasMore, isInspectionDue, requests }: SpoolRead): void {
    const tail = this.#tails.get(sessionId)
    if (tail === undefined) return
    this.#tails.set(sessionId, { ...tail, scannedTo, inspectedAt })
    if (hasMore || requests.length > 0) this.#woken.wake(sessionId)
    // Some requests may have been answered at once.
    if (requests.length > 0) this.#called.add(sessionId)
    if (isInspectionDue) this.#dueInspections.add(sessionId)
    else this.#dueInspections.delete(sessionId)
  }

  /** A session whose files can't be read doesn't hold up the others. */
  async #read(tail: AdoptedTail, inputs: readonly PendingInput[]): Promise<SpoolRead | undefined> {
    const sessionId = tail.session.id
    try {
      await this.#say(sessionId)
      this.#caughtUp.begin(sessionId)
      const own = inputs.filter((input) => input.sessionId === sessionId)
      const read = await readSpools(this.#needs, tail, own)
      this.#failedReads.delete(sessionId)
      return read
    } catch (error) {
      this.#fail(tail.session, error)
      return undefined
    }
  }

  #fail(session: Session, error: unknown): void {
    const { id: sessionId } = session
    const verdict = this.#failedReads.add(sessionId)
    if (verdict === 'wait') return
    this.#needs.log.warn({ sessionId, error: String(error) }, 'could not read a session')
    if (verdict === 'retry') this.#adoptLater(sessionId)
    else this.#giveUp(session, error)
  }

  /** The session alone is lost. Stopping its program takes time, so other work does that. */
  #giveUp({ id: sessionId, processNumber }: Session, error: unknown): void {
    this.#release(sessionId)
    const reason = `its files could not be read: ${error}`
    this.#needs
      .sendWork({ type: 'session-give-up', sessionId, processNumber, reason })
      .catch(() => this.#adoptLater(sessionId))
  }

  async #store(reads: readonly SpoolRead[]): Promise<void> {
    const sessionOf = (sessionId: SessionId) => this.#tails.get(sessionId)?.session
    const stored = await storeReads({ ...this.#needs, sessionOf }, reads)
    for (const { progress: entry } of reads) {
      if (entry === undefined) continue
      const tail = this.#tails.get(entry.sessionId)
      if (tail === undefined) continue
      // The stored offsets are not the ones this batch started from: read them again instead of guessing.
      if (!stored.has(entry.sessionId)) {
        this.#release(entry.sessionId)
        this.adopt(entry.sessionId)
        continue
      }
      this.#spending.note(tail.payers, tail.conversation, entry.conversation)
      this.#tails.set(entry.sessionId, movedOn(tail, entry))
    }
  }

  /** Runs after the commit. After a crash, adopting the session repeats it with the same effect. */
  async #say(sessionId: SessionId): Promise<void> {
    const tail = this.#tails.get(sessionId)
    if (tail === undefined || tail.isSent) return
    const { session, conversation } = tail
    this.#needs.crash.reach('conversation.before-input')
    await this.#needs.host.write(
      hostOf(session),
      conversation.lastInputAt,
      new TextEncoder().encode(conversation.lastInput),
    )
    this.#tails.set(sessionId, { ...tail, isSent: true })
  }

  async #inputsFor(sessionIds: readonly SessionId[]): Promise<readonly PendingInput[]> {
    const spoken = sessionIds.filter((id) => this.#tails.get(id)?.conversation.dialogue !== undefined)
    return spoken.length === 0 ? [] : await this.#needs.store.read.sessions.pendingInputs(spoken)
  }

  async #end(sessionId: SessionId, end: SessionEnd): Promise<void> {
    const session = this.#tails.get(sessionId)?.session
    if (session !== undefined && !this.#collectedOutboxes.hasAllFrom(session, 'exit')) return
    await suspendExitedIfUnready(this.#needs, sessionId, end)
    await endSession(this.#needs, sessionId, end, session?.processNumber)
    this.#release(sessionId)
    // A suspended session may have been resumed before it was released here.
    this.adopt(sessionId)
  }
}
