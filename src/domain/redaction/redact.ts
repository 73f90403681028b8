import { createPrefilter } from './prefilter.ts'
import { formsOf } from './secret-forms.ts'

export type Secret = {
  readonly name: string
  /** Every way in which its value may be written. */
  readonly forms: ReadonlySet<string>
}

/** Replaces every known secret in a text; a text without one comes back unchanged. */
export type Redact = (text: string) => string

/** Anything shorter is too likely to be an ordinary word, so it's never matched. */
export const LEAST_SECRET_LENGTH = 8
/** Passwords such as `postgres` are ordinary words: matching them would change much that is no secret. */
const ORDINARY_WORD = /^[a-z]{1,15}$/i

/** Which values Muster learns as secrets is decided in `daemon/secrets`. */
export function secretOf(name: string, value: string): Secret {
  const isTooCommon = value.length < LEAST_SECRET_LENGTH || ORDINARY_WORD.test(value)
  return { name, forms: isTooCommon ? new Set() : formsOf(value) }
}

/** Where one secret contains another, the longer one is replaced. */
export function createRedact(secrets: readonly Secret[]): Redact {
  const names = new Map<string, string>()
  for (const { name, forms } of secrets) {
    for (const form of forms) if (!names.has(form)) names.set(form, name)
  }
  if (names.size === 0) return (text) => text
  const forms = [...names.keys()]
  const mayHoldOne = createPrefilter(forms)
  let pattern: RegExp | undefined
  return (text) => {
    if (!mayHoldOne(text)) return text
    // Secrets are learnt more often than met, so the pattern is made when the first text needs it.
    pattern ??= patternOf(forms)
    return text.replace(pattern, (found) => `[redacted:${names.get(found)}]`)
  }
}

function patternOf(forms: readonly string[]): RegExp {
  const longestFirst = forms.toSorted((one, other) => other.length - one.length)
  const literals = longestFirst.map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
  return new RegExp(literals.join('|'), 'g')
}
