const GRAM = 4
/** Only the beginning of a longer form is indexed, which keeps the index small. */
const LONGEST_WINDOW = 32
const HASH_BITS = 30

type Place = { readonly form: string; readonly offset: number }

/**
 * Finds which of many forms occur in a text. It samples four characters at fixed steps: the shortest form covers at
 * least one sample wherever it is, and the index holds every group of four in the beginnings of the forms. A text
 * without secrets, which nearly every text is, costs one look-up per step.
 *
 * A regular expression of all forms would do the same, but a daemon with many sessions learns a token with each of
 * them, and every new expression would be compiled to megabytes of code.
 */
export class SecretIndex {
  readonly #places = new Map<number, Place[]>()
  #step: number | undefined

  add(form: string): void {
    const step = Math.min(LONGEST_WINDOW, form.length) - GRAM + 1
    for (let offset = 0; offset < step; offset += 1) {
      const hash = hashOf(form, offset)
      const places = this.#places.get(hash)
      if (places === undefined) this.#places.set(hash, [{ form, offset }])
      else places.push({ form, offset })
    }
    // Forms that were added at a longer step stay findable: the groups that a shorter step needs are among theirs.
    this.#step = Math.min(this.#step ?? step, step)
  }

  formsIn(text: string): ReadonlySet<string> {
    const found = new Set<string>()
    if (this.#step === undefined) return found
    for (let at = 0; at + GRAM <= text.length; at += this.#step) {
      const places = this.#places.get(hashOf(text, at))
      if (places === undefined) continue
      for (const { form, offset } of places) if (text.startsWith(form, at - offset)) found.add(form)
    }
    return found
  }
}

/** A multiplicative hash of the four characters from this position. */
function hashOf(text: string, at: number): number {
  const first = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16)
  const second = text.charCodeAt(at + 2) | (text.charCodeAt(at + 3) << 16)
  return Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b) >>> (32 - HASH_BITS)
}
