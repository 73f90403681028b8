import { byteLength } from '../byte-length.ts'

const LENGTH_LIMIT_BYTES = 200
/** Control characters, space, and what git keeps for its own notations. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it must find
const FORBIDDEN = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|^-|(?:^|\/)\.|\.lock(?:\/|$)/
const HALF_CHARACTER = /[\ud800-\udfff]/u

/** Git's rules for a branch name, and no longer than every file system can hold beside a lock file. */
export function isBranchName(text: string): boolean {
  if (text === '' || text === '@' || text === 'HEAD' || HALF_CHARACTER.test(text)) return false
  return byteLength(text) <= LENGTH_LIMIT_BYTES && !FORBIDDEN.test(text)
}
