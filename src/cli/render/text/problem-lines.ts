import type { Hint } from '../../hint.ts'
import type { Problem } from '../../problem.ts'
import type { Paint } from './paint.ts'
import { safeText } from './safe-text.ts'

/** A problem for people: what happened, why, and what to try next. */
export function problemLines(problem: Problem, paint: Paint, hint: Hint): readonly string[] {
  const lines = [`${paint('bad', 'error:')} ${safeText(problem.message)}`]
  if (problem.why !== undefined) lines.push(...indented('why: ', safeText(problem.why)))
  if (problem.next !== undefined) lines.push(...indented('try: ', safeText(hint(problem.next))))
  return lines
}

/** A problem for programs, in the format of the API's errors. */
export function problemValue(problem: Problem): unknown {
  const { type, message, why, next } = problem
  return { success: false, error: { type, message, details: why, next } }
}

function indented(label: string, text: string): readonly string[] {
  return text.split('\n').map((line, index) => `  ${index === 0 ? label : ' '.repeat(label.length)}${line}`)
}
