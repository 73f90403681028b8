/** Ends a text with a full stop, unless it ends with a question. */
export function sentence(text: string): string {
  return text.endsWith('?') ? text : `${text}.`
}
