// Test runners, compilers and linters mark the lines that matter with these words.
const TELLING =
  /\b(?:error|fail(?:ed|ure|s)?|not ok|assert\w*|expected|exception|panic\w*|cannot|can't|could not|missing|not found|denied|refused|invalid)\b|\w(?:Error|Exception)\b|✖|✗|×/i
// Package managers, test protocols and stack traces print these lines around what happened.
const NOISE =
  /^(?:> |\$ |TAP version|# Subtest|[-=─]{3,}$|[\w-]+:\s*\|-?$|at |Node\.js v\d|npm (?:notice|warn)\b|npm (?:error|ERR!)(?:\s+\w+)?$|npm (?:error|ERR!) (?:A complete log of this run|[^:]*debug-\d+\.log|code |path |errno |command |workspace |location ))/i
/** npm puts this before every line, so it says nothing. */
const PREFIX = /^npm (?:error|ERR!)\s*/

/** Whether a line of output says nothing about why something failed. */
export function isNoise(line: string): boolean {
  return NOISE.test(line.trim())
}

/** Whether a line of output probably says why something failed. */
export function isTelling(line: string): boolean {
  return !isNoise(line) && TELLING.test(line.trim().replace(PREFIX, ''))
}

/** The line that best explains a failure: the last telling one, else the last that isn't noise, else the last. */
export function tellingLine(lines: readonly string[]): string | undefined {
  return lines.findLast(isTelling) ?? lines.findLast((line) => !isNoise(line)) ?? lines.at(-1)
}
