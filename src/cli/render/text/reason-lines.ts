import { safeHead, safeLine, safeText } from './safe-text.ts'

const SHOWN_LINES = 3
// What test runners, compilers and linters write before the sentence that matters.
const TELLING =
  /\b(?:error|fail(?:ed|ure)?|not ok|assert\w*|expected|exception|panic\w*|cannot|missing)\b|✖|✗|×/i
// What package managers and test protocols write before anything has happened.
const PREAMBLE = /^(?:> |\$ |TAP version|# Subtest|[-=─]{3,}$|[\w-]+:\s*\|-?$)/

/** Why something did not land: the sentence, and below it, indented, the few lines of output that tell most. */
export function reasonLines(reason: string, limit: number): readonly string[] {
  const [, ...rest] = safeText(reason)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const telling = rest.filter((line) => TELLING.test(line) && !PREAMBLE.test(line))
  const shown = telling.length > 0 ? telling : rest.filter((line) => !PREAMBLE.test(line))
  return [safeHead(reason, limit), ...shown.slice(0, SHOWN_LINES).map((line) => `  ${safeLine(line, limit)}`)]
}
