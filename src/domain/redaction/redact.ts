import { plainText } from '../plain-text.ts'
import { type CutEdges, redactEdges } from './redact-edges.ts'
import { LEAST_SECRET_LENGTH, type Secret } from './secret.ts'
import { SecretIndex } from './secret-index.ts'

/** Control characters and marks that are removed before a text is shown. Most text has none, and is searched only once. */
const HIDING = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/u
const INVISIBLE = /\p{DI}/gu

/** Replaces every known secret in a text; returns a text without secrets unchanged. */
export type Redact = (text: string) => string

/** Secrets that are replaced with their names. A secret that is added is replaced in every text from then on. */
export class SecretSet {
  readonly #names = new Map<string, string>()
  readonly #index = new SecretIndex()

  constructor(secrets: Iterable<Secret> = []) {
    for (const secret of secrets) this.add(secret)
  }

  add({ name, forms }: Secret): void {
    for (const form of forms) {
      if (this.#names.has(form)) continue
      this.#names.set(form, name)
      this.#index.add(form)
    }
  }

  /**
   * Also finds a secret with escape sequences or invisible characters inside: they vanish when the text is shown, and
   * the secret would be whole again. Such a text is returned without them.
   */
  readonly redact: Redact = (text) => {
    const redacted = this.#replaceIn(text)
    if (!HIDING.test(redacted)) return redacted
    const shown = plainText(redacted).replaceAll(INVISIBLE, '')
    const safe = this.#replaceIn(shown)
    return safe === shown ? redacted : safe
  }

  /** Where one secret contains another, the longer one is replaced. */
  #replaceIn(text: string): string {
    if (text.length < LEAST_SECRET_LENGTH) return text
    const forms = this.#index.formsIn(text)
    if (forms.size === 0) return text
    return text.replace(patternOf([...forms]), (found) => `[redacted:${this.#names.get(found)}]`)
  }

  readonly redactPiece = (text: string, edges: CutEdges): string =>
    redactEdges(this.redact(text), this.#names, edges)
}

function patternOf(forms: readonly string[]): RegExp {
  const longestFirst = forms.toSorted((one, other) => other.length - one.length)
  const literals = longestFirst.map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
  return new RegExp(literals.join('|'), 'g')
}
