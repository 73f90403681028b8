/** A secret as it is, and as it looks inside JSON, a URL or base64, wherever in the encoded text it begins. */
export function formsOf(secret: string): ReadonlySet<string> {
  // Half a character, which only JavaScript can hold, is written as U+FFFD everywhere else.
  const encoded = encodeURIComponent(secret.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
  const quoted = JSON.stringify(secret).slice(1, -1)
  const plain = [secret, quoted, JSON.stringify(quoted).slice(1, -1)]
  const inUrl = [encoded, encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]
  const bytes = bytesOf(encoded)
  const inBase64 = [0, 1, 2].map((before) => base64Core(bytes, before))
  const urlSafe = inBase64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))
  return new Set([...plain, ...inUrl, ...inBase64, ...urlSafe])
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * The digits that stand for these bytes alone when `before` other bytes precede them in their group of three. A digit
 * that also depends on a neighbour is left out, so the form is found in the base64 of any text around the secret.
 */
function base64Core(bytes: readonly number[], before: number): string {
  const bits = [...new Array<number>(before).fill(0), ...bytes]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  let text = ''
  for (let at = Math.ceil((before * 8) / 6) * 6; at + 6 <= bits.length; at += 6) {
    text += DIGITS[Number.parseInt(bits.slice(at, at + 6), 2)]
  }
  return text
}

/** UTF-8, read off the URL-encoded form. */
function bytesOf(encoded: string): readonly number[] {
  const parts = encoded.match(/%[0-9A-F]{2}|[^%]/g) ?? []
  return parts.map((part) => (part.length === 3 ? Number.parseInt(part.slice(1), 16) : part.charCodeAt(0)))
}
