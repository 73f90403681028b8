const ESCAPE = '\\u001b'
/** Titles, clipboard and links. They end with a bell or a string terminator. */
const TERMINAL_STRING = new RegExp(
  `(?:${ESCAPE}[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u009c\\n]*(?:\\u0007|${ESCAPE}\\\\|\\u009c)?`,
  'gu',
)
/** Colours, cursor movements and everything else that begins with an escape character. */
const SEQUENCE = new RegExp(`(?:${ESCAPE}\\[|\\u009b)[0-?]*[ -/]*[@-~]?|${ESCAPE}[ -/]*[0-~]?`, 'gu')
/**
 * Other control characters, lone surrogates, and marks that hide or reorder text. Two joiners stay, because words in
 * some languages and many emoji need them.
 */
const UNSAFE = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * Text of agents without anything that a terminal would obey, for files and commits that people will print. Line feeds
 * and tabs stay.
 */
export function plainText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(TERMINAL_STRING, '').replace(SEQUENCE, '').replace(UNSAFE, '')
}

/** Whether a terminal would obey any of the text. */
export function hasTerminalEscapes(text: string): boolean {
  return text.search(UNSAFE_FOR_TERMINALS) !== -1
}

const UNSAFE_FOR_TERMINALS = /(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u
