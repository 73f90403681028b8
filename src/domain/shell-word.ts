const PLAIN_WORD = /^[\w@%+=:,./-]+$/

/** Quotes a word for a shell if necessary. */
export function shellWord(text: string): string {
  return PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
