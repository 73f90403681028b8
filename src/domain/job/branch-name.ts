import { byteLength } from '../byte-length.ts'
import type { JobId, SessionId } from '../id.ts'

const LENGTH_LIMIT_BYTES = 200
/** Control characters, space, and characters that git reserves. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it must find
const FORBIDDEN = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|^-|(?:^|\/)\.|\.lock(?:\/|$)/
const HALF_CHARACTER = /[\ud800-\udfff]/u

/** The branch that a job's work lands on, or a personal session's work is kept on, unless the person names another. */
export function ownBranchOf(id: JobId | SessionId): string {
  return `muster/${id}`
}

/** Git's rules for a branch name, and short enough for any file system to hold it next to a lock file. */
export function isBranchName(text: string): boolean {
  if (text === '' || text === '@' || text === 'HEAD' || HALF_CHARACTER.test(text)) return false
  return byteLength(text) <= LENGTH_LIMIT_BYTES && !FORBIDDEN.test(text)
}
