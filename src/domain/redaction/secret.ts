export type Secret = {
  readonly name: string
  /** Every way in which its value may be written. */
  readonly forms: ReadonlySet<string>
}

/** Anything shorter is too likely to be an ordinary word, so it's never matched. */
export const LEAST_SECRET_LENGTH = 8
/** Passwords such as `postgres` are ordinary words: matching them would change a lot of harmless text. */
const ORDINARY_WORD = /^[a-z]{1,15}$/i

/** `daemon/secrets` decides which values Muster treats as secrets. */
export function secretOf(name: string, value: string): Secret {
  const isTooCommon = value.length < LEAST_SECRET_LENGTH || ORDINARY_WORD.test(value)
  return { name, forms: isTooCommon ? new Set() : formsOf(value) }
}

const CREDENTIAL = /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTH)(?:_|$)/i

/** Variables of git, which only look like credentials: each contains the name of a setting. */
const GIT_SETTING = /^GIT_CONFIG_KEY_\d+$/

/** Whether a variable's name suggests a secret value: `GITHUB_TOKEN`, `AWS_SECRET_ACCESS_KEY`, `db_password`. */
export function isCredentialName(name: string): boolean {
  return CREDENTIAL.test(name) && !GIT_SETTING.test(name)
}

/** A secret as it is, and as it looks inside JSON, a URL or base64, wherever in the encoded text it begins. */
function formsOf(secret: string): ReadonlySet<string> {
  // A lone surrogate, which only JavaScript strings can contain, becomes U+FFFD everywhere else.
  const encoded = encodeURIComponent(secret.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
  const quoted = JSON.stringify(secret).slice(1, -1)
  const plain = [secret, quoted, JSON.stringify(quoted).slice(1, -1)]
  const inUrl = [encoded, encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]
  const bytes = bytesOf(encoded)
  const everyByte = bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  const inBase64 = [0, 1, 2].map((before) => base64Core(bytes, before))
  const urlSafe = inBase64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))
  return new Set([...plain, ...inUrl, everyByte, everyByte.toUpperCase(), ...inBase64, ...urlSafe])
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * The digits that encode only these bytes when `before` other bytes precede them in their group of three. A digit that
 * also depends on a neighbour is left out, so the form occurs in the base64 of any text around the secret.
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

/** UTF-8 bytes, taken from the URL-encoded form. */
function bytesOf(encoded: string): readonly number[] {
  const parts = encoded.match(/%[0-9A-F]{2}|[^%]/g) ?? []
  return parts.map((part) => (part.length === 3 ? Number.parseInt(part.slice(1), 16) : part.charCodeAt(0)))
}
