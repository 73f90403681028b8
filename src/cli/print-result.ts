import { success } from '../domain/result.ts'
import type { CommandNeeds } from './command-needs.ts'
import { EXIT } from './exit-code.ts'
import type { Outcome } from './problem.ts'

/** Prints what a command did: `data` for programs, `lines` for people, wrapped at the width of the terminal. */
export function printResult(
  { output }: Pick<CommandNeeds, 'output'>,
  data: unknown,
  lines: readonly string[],
): Outcome {
  output.value({ success: true, data })
  for (const line of lines) output.printProse(line)
  return success(EXIT.done)
}

/** The same for lines that must not be changed: what a person decides about, or what is in a file. */
export function printExactly(
  { output }: Pick<CommandNeeds, 'output'>,
  data: unknown,
  lines: readonly string[],
): Outcome {
  output.value({ success: true, data })
  for (const line of lines) output.printExact(line)
  return success(EXIT.done)
}
