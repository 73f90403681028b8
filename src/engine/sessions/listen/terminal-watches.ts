import type { SessionId } from '../../../domain/id.ts'
import { SESSION_LIMITS } from '../../../domain/limits/session-limits.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { endSession } from '../end/end-session.ts'
import { findSetupEnd, lastScreenOf } from '../end/find-setup-end.ts'
import { lastScreenEvents } from '../end/last-screen-events.ts'
import { hostOf } from '../host-of.ts'
import { programOf } from '../program-of.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'host' | 'terminals' | 'clock' | 'crash' | 'settings' | 'log' | 'outboxes' | 'assignments'
>

/**
 * Watches sessions on terminals until they end and types messages into them, but never while a person is at the
 * keyboard: messages wait until the person leaves.
 */
export class TerminalWatches implements Disposable {
  readonly #needs: Needs
  readonly #watched = new Map<SessionId, { readonly session: Session; readonly watch: Disposable }>()
  readonly #attended = new Set<SessionId>()
  readonly #busy = new Set<SessionId>()
  readonly #again = new Set<SessionId>()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  adopt(session: Session): void {
    const known = this.#watched.get(session.id)
    if (known?.session.processNumber !== session.processNumber) {
      known?.watch[Symbol.dispose]()
      const watch = programOf(this.#needs, session).watch(() => this.#check(session.id))
      this.#watched.set(session.id, { session, watch })
      this.#needs.outboxes.adopt(session)
    }
    this.#check(session.id)
  }

  /** A person has taken or left a session's keyboard. */
  attend(sessionId: SessionId, isAttended: boolean): void {
    if (isAttended) this.#attended.add(sessionId)
    else this.#attended.delete(sessionId)
    this.#check(sessionId)
  }

  [Symbol.dispose](): void {
    for (const { watch } of this.#watched.values()) watch[Symbol.dispose]()
    this.#watched.clear()
  }

  #check(sessionId: SessionId): void {
    const known = this.#watched.get(sessionId)
    if (known === undefined) return
    // Typing takes a while, and a message that arrives meanwhile must not wait for the next occasion.
    if (this.#busy.has(sessionId)) return void this.#again.add(sessionId)
    this.#busy.add(sessionId)
    this.#inspect(known.session)
      .catch((error: unknown) => {
        this.#needs.log.warn({ sessionId, error: String(error) }, 'could not inspect a terminal; will retry')
        setTimeout(() => this.#check(sessionId), SESSION_LIMITS.watchRetryMs).unref()
      })
      .finally(() => {
        this.#busy.delete(sessionId)
        if (this.#again.delete(sessionId)) this.#check(sessionId)
      })
  }

  async #inspect(session: Session): Promise<void> {
    const snapshot = await programOf(this.#needs, session).inspect()
    if (snapshot.type === 'running') return this.#type(session)
    await this.#needs.outboxes.collect(session)
    if (snapshot.type === 'absent') {
      await endSession(this.#needs, session.id, { type: 'lost', reason: 'its terminal is gone' })
    } else {
      const lastLines = () => lastScreenOf(this.#needs, session)
      const end = await findSetupEnd(this.#needs, session, snapshot, lastLines)
      const said = await lastScreenEvents(this.#needs, session, end)
      await endSession(this.#needs, session.id, end, undefined, said)
    }
    this.#watched.get(session.id)?.watch[Symbol.dispose]()
    this.#watched.delete(session.id)
    this.#attended.delete(session.id)
    this.#needs.outboxes.release(session.id)
  }

  /** Types each message at most once: typing can't be undone, so a message counts as sent before it is typed. */
  async #type(session: Session): Promise<void> {
    if (this.#attended.has(session.id)) return
    const pending = await this.#needs.store.read.sessions.pendingInputs([session.id])
    if (pending.length === 0) return
    const { outOffset: out, errOffset: err } = session
    await this.#needs.store.transact((records) =>
      records.sessions.advance([
        {
          sessionId: session.id,
          fromOut: out,
          toOut: out,
          fromErr: err,
          toErr: err,
          events: [],
          said: pending.map((input) => input.id),
        },
      ]),
    )
    for (const { input } of pending) {
      if (input.type === 'decide') continue
      const hostId = hostOf(session)
      if (input.type === 'say') await this.#needs.terminals.submit(hostId, input.text)
      else await this.#needs.terminals.write(hostId, '\u001b')
    }
  }
}
