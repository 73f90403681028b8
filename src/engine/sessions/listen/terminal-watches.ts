import type { SessionId } from '../../../domain/id.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { endSession } from '../end/end-session.ts'
import { hostOf } from '../host-of.ts'
import { programOf } from '../program-of.ts'
import { findSetupEnd, lastScreenOf } from '../start/find-setup-end.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'host' | 'terminals' | 'clock' | 'crash' | 'settings' | 'log' | 'mail' | 'roles'
>

const RETRY_MS = 500

/**
 * Sees sessions on terminals to their end, and types what is to be said to them, but never while a person is at
 * the keyboard: until they leave, what was to be said waits.
 */
export class TerminalWatches implements Disposable {
  readonly #needs: Needs
  readonly #watched = new Map<SessionId, { readonly session: Session; readonly watch: Disposable }>()
  readonly #attended = new Set<SessionId>()
  readonly #busy = new Set<SessionId>()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  adopt(session: Session): void {
    const known = this.#watched.get(session.id)
    if (known?.session.life !== session.life) {
      known?.watch[Symbol.dispose]()
      const watch = programOf(this.#needs, session).watch(() => this.#look(session.id))
      this.#watched.set(session.id, { session, watch })
      this.#needs.mail.adopt(session)
    }
    this.#look(session.id)
  }

  /** A person sat down at, or left, the keyboard of a session. */
  attend(sessionId: SessionId, isAttended: boolean): void {
    if (isAttended) this.#attended.add(sessionId)
    else this.#attended.delete(sessionId)
    this.#look(sessionId)
  }

  [Symbol.dispose](): void {
    for (const { watch } of this.#watched.values()) watch[Symbol.dispose]()
    this.#watched.clear()
  }

  #look(sessionId: SessionId): void {
    const known = this.#watched.get(sessionId)
    if (known === undefined || this.#busy.has(sessionId)) return
    this.#busy.add(sessionId)
    this.#see(known.session)
      .catch((error: unknown) => {
        this.#needs.log.warn({ sessionId, error: String(error) }, 'a terminal could not be looked at yet')
        setTimeout(() => this.#look(sessionId), RETRY_MS).unref()
      })
      .finally(() => this.#busy.delete(sessionId))
  }

  async #see(session: Session): Promise<void> {
    const sight = await programOf(this.#needs, session).look()
    if (sight.type === 'running') return this.#type(session)
    await this.#needs.mail.collect(session)
    if (sight.type === 'absent') {
      await endSession(this.#needs, session.id, { type: 'lost', reason: 'its terminal is gone' })
    } else {
      const lastWords = () => lastScreenOf(this.#needs, session)
      await endSession(this.#needs, session.id, await findSetupEnd(this.#needs, session, sight, lastWords))
    }
    this.#watched.get(session.id)?.watch[Symbol.dispose]()
    this.#watched.delete(session.id)
    this.#attended.delete(session.id)
    this.#needs.mail.release(session.id)
  }

  /** At most once: what was typed cannot be taken back, so it counts as said before it is. */
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
      await this.#needs.terminals.write(hostOf(session), input.type === 'say' ? `${input.text}\r` : '\u001b')
    }
  }
}
