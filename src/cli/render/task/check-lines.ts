import type { WireCheckResult } from '../../../client/index.ts'
import { indentedText } from '../text/field-lines.ts'
import type { Paint } from '../text/paint.ts'
import { safeLine } from '../text/safe-text.ts'

/** The results of checks on one tree, with the last output of those that failed. */
export function checkLines(checks: readonly WireCheckResult[], paint: Paint): readonly string[] {
  return checks.flatMap((check) => [
    `  check ${wordOf(check, paint)}: ${safeLine(check.command)}`,
    ...(check.passed ? [] : indentedText(check.detail)),
  ])
}

function wordOf({ passed, isFlaky, failedOnBase }: WireCheckResult, paint: Paint): string {
  if (failedOnBase === true) return paint('warn', 'failed here and on the base')
  if (!passed) return paint('bad', 'failed')
  return isFlaky === true ? paint('warn', 'passed on the second try (flaky)') : paint('good', 'passed')
}
