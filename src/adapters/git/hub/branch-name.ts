const LENGTH_LIMIT_BYTES = 200
/** Control characters, space, and what git keeps for its own notations. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it must find
const FORBIDDEN = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|^-|(?:^|\/)\.|\.lock(?:\/|$)/

/** Git's rules for a branch name, and no longer than every file system can hold beside a lock file. */
export function isBranchName(text: string): boolean {
  if (text === '' || text === '@' || text === 'HEAD') return false
  if (Buffer.from(text).toString() !== text || Buffer.byteLength(text) > LENGTH_LIMIT_BYTES) return false
  return !FORBIDDEN.test(text)
}
