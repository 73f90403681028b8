/** Well-formed text without NUL. PostgreSQL can't store anything else. */
export function cleanText(text: string): string {
  return text.replaceAll('\0', '\ufffd').replace(/\p{Surrogate}/gu, '\ufffd')
}
