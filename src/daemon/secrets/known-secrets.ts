import { createRedact, type Redact, type Secret, secretOf } from '../../domain/redaction/redact.ts'

/** Tokens of sessions that ended long ago open nothing; the newest are remembered. */
const MOST_TOKENS = 128

/** The secrets that this daemon has learnt of so far. What it learns counts for every text from then on. */
export class KnownSecrets {
  readonly #lasting = new Map<string, Secret>()
  readonly #tokens = new Map<string, Secret>()
  #redact: Redact | undefined

  /** Replaces each of them by its name. */
  readonly redact: Redact = (text) => {
    this.#redact ??= createRedact([...this.#lasting.values(), ...this.#tokens.values()])
    return this.#redact(text)
  }

  learn(name: string, value: string | undefined): void {
    if (value === undefined || this.#lasting.has(value)) return
    this.#lasting.set(value, secretOf(name, value))
    this.#redact = undefined
  }

  /** One of many that come and go with sessions. */
  learnToken(value: string): void {
    if (this.#tokens.has(value)) return
    this.#tokens.set(value, secretOf('MUSTER_TOKEN', value))
    const [oldest] = this.#tokens.keys()
    if (this.#tokens.size > MOST_TOKENS && oldest !== undefined) this.#tokens.delete(oldest)
    this.#redact = undefined
  }
}
