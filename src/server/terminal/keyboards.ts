import type { SessionId } from '../../domain/id.ts'

/** A connected person, as far as the keyboard is concerned. */
export interface KeyboardUser {
  /** Someone else has taken the keyboard. */
  onTaken(): void
  onKeyboard(taken: boolean): void
}

type Needs = { onAttended(sessionId: SessionId, attended: boolean): void }
type Desk = { readonly viewers: Set<KeyboardUser>; writer: KeyboardUser | undefined }

/** Who has which keyboard: one writer at a time, and every viewer is notified of changes. */
export class Keyboards {
  readonly #needs: Needs
  readonly #desks = new Map<SessionId, Desk>()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  join(sessionId: SessionId, viewer: KeyboardUser): void {
    this.#deskOf(sessionId).viewers.add(viewer)
  }

  /** Whether the viewer now has the keyboard; `force` takes it from whoever has it. */
  take(sessionId: SessionId, viewer: KeyboardUser, force: boolean): boolean {
    const desk = this.#deskOf(sessionId)
    const before = desk.writer
    if (before !== undefined && !force) return false
    desk.writer = viewer
    if (before === undefined) this.#announce(sessionId, desk, true)
    else before.onTaken()
    return true
  }

  leave(sessionId: SessionId, viewer: KeyboardUser): void {
    const desk = this.#desks.get(sessionId)
    if (desk === undefined) return
    desk.viewers.delete(viewer)
    if (desk.viewers.size === 0) this.#desks.delete(sessionId)
    if (desk.writer !== viewer) return
    desk.writer = undefined
    this.#announce(sessionId, desk, false)
  }

  isTaken(sessionId: SessionId): boolean {
    return this.#desks.get(sessionId)?.writer !== undefined
  }

  #deskOf(sessionId: SessionId): Desk {
    const known = this.#desks.get(sessionId) ?? { viewers: new Set(), writer: undefined }
    this.#desks.set(sessionId, known)
    return known
  }

  #announce(sessionId: SessionId, desk: Desk, taken: boolean): void {
    this.#needs.onAttended(sessionId, taken)
    for (const viewer of desk.viewers) viewer.onKeyboard(taken)
  }
}
