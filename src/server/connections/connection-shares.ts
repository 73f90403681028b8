import type { Duplex } from 'node:stream'
import type { SessionId } from '../../domain/id.ts'
import { HTTP_LIMITS } from '../../domain/limits/http-limits.ts'

/** Who holds a connection. It is unauthenticated until a request with a valid token arrives on it. */
export type Holder =
  | { readonly type: 'unauthenticated' }
  | { readonly type: 'person' }
  /** A person's event stream or terminal, which stays open. */
  | { readonly type: 'stream' }
  | { readonly type: 'agent'; readonly sessionId: SessionId }

export type ConnectionLimits = Pick<
  typeof HTTP_LIMITS,
  | 'unauthenticatedConnections'
  | 'newUnauthenticatedConnections'
  | 'newMs'
  | 'streams'
  | 'agentConnections'
  | 'sessionConnections'
>

const UNAUTHENTICATED: Holder = { type: 'unauthenticated' }

/**
 * The open connections, and whose they are. Unauthenticated connections, agents and streams each have a share, so the
 * person's commands always have a reserve. If there are too many unauthenticated ones, the oldest are closed; everyone
 * else is refused.
 */
export class ConnectionShares {
  readonly #limits: ConnectionLimits
  readonly #holders = new Map<Duplex, Holder>()
  readonly #unauthenticated = new Set<Duplex>()
  /** Those that have had enough time to send their request. */
  readonly #late = new Set<Duplex>()

  constructor(limits: ConnectionLimits = HTTP_LIMITS) {
    this.#limits = limits
  }

  /** Counts a new connection until it closes. */
  open(socket: Duplex): void {
    this.#holders.set(socket, UNAUTHENTICATED)
    this.#unauthenticated.add(socket)
    const timer = setTimeout(() => this.#becomeLate(socket), this.#limits.newMs).unref()
    socket.once('close', () => {
      clearTimeout(timer)
      this.#leave(socket)
      this.#holders.delete(socket)
    })
    this.#evict()
  }

  /** Gives a connection to the sender of a valid request. False if the share of that sender is used up. */
  assign(socket: Duplex, holder: Exclude<Holder, { type: 'unauthenticated' }>): boolean {
    const before = this.#holders.get(socket)
    if (before === undefined || !this.#hasRoom(socket, holder)) return false
    this.#leave(socket)
    this.#holders.set(socket, holder)
    return true
  }

  #becomeLate(socket: Duplex): void {
    if (!this.#unauthenticated.has(socket)) return
    this.#late.add(socket)
    this.#evict()
  }

  #leave(socket: Duplex): void {
    this.#unauthenticated.delete(socket)
    this.#late.delete(socket)
  }

  /** New connections are spared for a moment: among them may be the person's, whose request is still to be read. */
  #evict(): void {
    while (this.#unauthenticated.size > this.#limits.unauthenticatedConnections && this.#late.size > 0)
      this.#evictOldest(this.#late)
    while (this.#unauthenticated.size > this.#limits.newUnauthenticatedConnections)
      this.#evictOldest(this.#unauthenticated)
  }

  #evictOldest(sockets: ReadonlySet<Duplex>): void {
    const [oldest] = sockets
    if (oldest === undefined) return
    this.#leave(oldest)
    oldest.destroy()
  }

  #hasRoom(socket: Duplex, holder: Holder): boolean {
    if (holder.type === 'person' || holder.type === 'unauthenticated') return true
    const others = [...this.#holders].flatMap(([other, held]) =>
      other !== socket && held.type === holder.type ? [held] : [],
    )
    if (holder.type === 'stream') return others.length < this.#limits.streams
    const own = others.filter((held) => held.type === 'agent' && held.sessionId === holder.sessionId)
    return others.length < this.#limits.agentConnections && own.length < this.#limits.sessionConnections
  }
}
