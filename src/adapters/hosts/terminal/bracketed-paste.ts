const PASTE_START = '\u001b[200~'
const PASTE_END = '\u001b[201~'
// biome-ignore lint/suspicious/noControlCharactersInRegex: a program switches the mode with an escape sequence
const SWITCH = /\u001b\[\?(?:\d+;)*2004(?:;\d+)*([hl])/g
/** Longer than any such sequence, which may arrive in two pieces. */
const KEPT_CHARACTERS = 64

/** Follows a program's output to know whether it wants pasted text to be marked as such. */
export class BracketedPaste {
  #recent = ''
  #isOn = false as boolean

  read(bytes: Uint8Array): void {
    this.#recent += Buffer.from(bytes).toString('latin1')
    const last = [...this.#recent.matchAll(SWITCH)].at(-1)
    if (last !== undefined) this.#isOn = last[1] === 'h'
    this.#recent = this.#recent.slice(-KEPT_CHARACTERS)
  }

  /** The text as a terminal would send it if a person pasted it. */
  mark(text: string): string {
    return this.#isOn ? `${PASTE_START}${text}${PASTE_END}` : text
  }
}

/** Without escape characters, no text can end its own paste and go on as if it were typed. */
export function pasteable(text: string): string {
  return text.replaceAll('\u001b', '')
}
