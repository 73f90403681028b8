const GRAM = 4
/** Longer forms are found by their beginning as well, and fill the table less. */
const LONGEST_WINDOW = 32
const TABLE_BITS = 22

/**
 * Tells quickly that a text holds none of these forms, which is nearly always. It looks at four characters every so
 * many: the shortest form is long enough to cover one such place wherever it stands, and every group of four in the
 * beginnings of the forms is in a table. A hit may be by chance; a miss is certain.
 */
export function createPrefilter(forms: readonly string[]): (text: string) => boolean {
  const window = Math.min(LONGEST_WINDOW, ...forms.map((form) => form.length))
  const step = window - GRAM + 1
  const table = new Uint32Array(2 ** (TABLE_BITS - 5))
  for (const form of forms) {
    for (let at = 0; at < step; at += 1) {
      const slot = slotOf(form, at)
      table[slot >>> 5] = (table[slot >>> 5] ?? 0) | (1 << (slot & 31))
    }
  }
  return (text) => {
    for (let at = 0; at + GRAM <= text.length; at += step) {
      const slot = slotOf(text, at)
      if (((table[slot >>> 5] ?? 0) & (1 << (slot & 31))) !== 0) return true
    }
    return false
  }
}

/** A multiplicative hash of the four characters from here on. */
function slotOf(text: string, at: number): number {
  const first = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16)
  const second = text.charCodeAt(at + 2) | (text.charCodeAt(at + 3) << 16)
  return Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b) >>> (32 - TABLE_BITS)
}
