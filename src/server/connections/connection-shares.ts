import type { Duplex } from 'node:stream'
import type { SessionId } from '../../domain/id.ts'
import { HTTP_LIMITS } from '../../domain/limits/http-limits.ts'

/** Who holds a connection. It's a stranger's until a request with a valid token arrives on it. */
export type Holder =
  | { readonly type: 'stranger' }
  | { readonly type: 'person' }
  /** A person's event stream or terminal, which stays open. */
  | { readonly type: 'stream' }
  | { readonly type: 'agent'; readonly sessionId: SessionId }

export type ConnectionLimits = Pick<
  typeof HTTP_LIMITS,
  'strangers' | 'newStrangers' | 'strangerMs' | 'streams' | 'agentConnections' | 'sessionConnections'
>

const STRANGER: Holder = { type: 'stranger' }

/**
 * The open connections, and whose they are. Strangers, agents and streams each have a share, so the person's commands
 * always have a reserve. A stranger who exceeds its share loses its oldest connections; everyone else is refused.
 */
export class ConnectionShares {
  readonly #limits: ConnectionLimits
  readonly #holders = new Map<Duplex, Holder>()
  readonly #strangers = new Set<Duplex>()
  /** Strangers that have had enough time to send their request. */
  readonly #late = new Set<Duplex>()

  constructor(limits: ConnectionLimits = HTTP_LIMITS) {
    this.#limits = limits
  }

  /** Counts a new connection until it closes. */
  open(socket: Duplex): void {
    this.#holders.set(socket, STRANGER)
    this.#strangers.add(socket)
    const timer = setTimeout(() => this.#becomeLate(socket), this.#limits.strangerMs).unref()
    socket.once('close', () => {
      clearTimeout(timer)
      this.#leave(socket)
      this.#holders.delete(socket)
    })
    this.#evict()
  }

  /** Gives a connection to the sender of a valid request. False if the share of that sender is used up. */
  assign(socket: Duplex, holder: Exclude<Holder, { type: 'stranger' }>): boolean {
    const before = this.#holders.get(socket)
    if (before === undefined || !this.#hasRoom(socket, holder)) return false
    this.#leave(socket)
    this.#holders.set(socket, holder)
    return true
  }

  #becomeLate(socket: Duplex): void {
    if (!this.#strangers.has(socket)) return
    this.#late.add(socket)
    this.#evict()
  }

  #leave(socket: Duplex): void {
    this.#strangers.delete(socket)
    this.#late.delete(socket)
  }

  /** New connections are spared for a moment: among them may be the person's, whose request is still to be read. */
  #evict(): void {
    while (this.#strangers.size > this.#limits.strangers && this.#late.size > 0) this.#evictOldest(this.#late)
    while (this.#strangers.size > this.#limits.newStrangers) this.#evictOldest(this.#strangers)
  }

  #evictOldest(sockets: ReadonlySet<Duplex>): void {
    const [oldest] = sockets
    if (oldest === undefined) return
    this.#leave(oldest)
    oldest.destroy()
  }

  #hasRoom(socket: Duplex, holder: Holder): boolean {
    if (holder.type === 'person' || holder.type === 'stranger') return true
    const others = [...this.#holders].flatMap(([other, held]) =>
      other !== socket && held.type === holder.type ? [held] : [],
    )
    if (holder.type === 'stream') return others.length < this.#limits.streams
    const own = others.filter((held) => held.type === 'agent' && held.sessionId === holder.sessionId)
    return others.length < this.#limits.agentConnections && own.length < this.#limits.sessionConnections
  }
}
