import { type Redact, SecretSet } from '../../domain/redaction/redact.ts'
import type { Redaction } from '../../domain/redaction/redaction.ts'
import { type Secret, secretOf } from '../../domain/redaction/secret.ts'

/** Tokens of sessions that ended long ago open nothing. Beyond this many, only the newest half is kept. */
const MAX_TOKENS = 256

/** The secrets this daemon knows so far. A newly learned secret is redacted in every text from then on. */
export class KnownSecrets implements Redaction {
  readonly #lasting = new Map<string, Secret>()
  #tokens = new Map<string, Secret>()
  #all = new SecretSet()

  /** Replaces each secret with its name. */
  readonly redact: Redact = (text) => this.#all.redact(text)

  readonly redactPiece: Redaction['redactPiece'] = (text, edges) => this.#all.redactPiece(text, edges)

  learn(name: string, value: string | undefined): void {
    if (value === undefined || this.#lasting.has(value)) return
    const secret = secretOf(name, value)
    this.#lasting.set(value, secret)
    this.#all.add(secret)
  }

  /** One of many tokens that come and go with sessions. */
  learnToken(value: string): void {
    if (this.#tokens.has(value)) return
    const secret = secretOf('MUSTER_TOKEN', value)
    this.#tokens.set(value, secret)
    this.#all.add(secret)
    if (this.#tokens.size <= MAX_TOKENS) return
    this.#tokens = new Map([...this.#tokens].slice(-MAX_TOKENS / 2))
    this.#all = new SecretSet([...this.#lasting.values(), ...this.#tokens.values()])
  }
}
