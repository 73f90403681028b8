import type { Message } from './conversation.ts'

/** A request, and the reply to it. */
export type ModelRequest = {
  readonly wire: string
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools: readonly string[]
  /** The index of the requested step in the prompt's script. */
  readonly step: number
  readonly status: number
}

type Waiter = {
  readonly isWanted: (request: ModelRequest) => boolean
  readonly found: (request: ModelRequest) => void
}

const KEPT = 500

export class RequestLog {
  readonly #requests: ModelRequest[] = []
  readonly #waiters = new Set<Waiter>()

  add(request: ModelRequest): void {
    this.#requests.push(request)
    if (this.#requests.length > KEPT) this.#requests.shift()
    for (const waiter of this.#waiters) if (waiter.isWanted(request)) waiter.found(request)
  }

  requests(): readonly ModelRequest[] {
    return [...this.#requests]
  }

  waitFor(isWanted: (request: ModelRequest) => boolean, signal: AbortSignal): Promise<ModelRequest> {
    const seen = this.#requests.find(isWanted)
    if (seen !== undefined) return Promise.resolve(seen)
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.#waiters.delete(waiter)
        reject(new Error('the model did not get this request', { cause: signal.reason }))
      }
      const found = (request: ModelRequest) => {
        this.#waiters.delete(waiter)
        signal.removeEventListener('abort', stop)
        resolve(request)
      }
      const waiter: Waiter = { isWanted, found }
      if (signal.aborted) return stop()
      signal.addEventListener('abort', stop, { once: true })
      this.#waiters.add(waiter)
    })
  }
}
