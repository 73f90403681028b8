import type { WireCheckResult } from '../../../client/index.ts'
import { indentedText } from '../text/field-lines.ts'
import type { Paint } from '../text/paint.ts'
import { safeLine } from '../text/safe-text.ts'

/** What checks said of one tree; of those that failed, their last words too. */
export function checkLines(checks: readonly WireCheckResult[], paint: Paint): readonly string[] {
  return checks.flatMap((check) => [
    `  check ${wordOf(check, paint)}: ${safeLine(check.command)}`,
    ...(check.passed ? [] : indentedText(check.detail)),
  ])
}

function wordOf({ passed, isFlaky }: WireCheckResult, paint: Paint): string {
  if (!passed) return paint('bad', 'failed')
  return isFlaky === true ? paint('warn', 'passed the second time (flaky)') : paint('good', 'passed')
}
