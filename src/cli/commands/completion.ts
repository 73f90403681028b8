import { success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { SHELL_SCRIPTS, type Shell } from '../completion/shell-scripts.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome } from '../problem.ts'

/** Prints the script that makes a shell complete commands, IDs and names. */
export async function completionCommand({ output }: CommandNeeds, shell: Shell): Promise<Outcome> {
  const script = SHELL_SCRIPTS[shell]
  output.value({ success: true, data: { shell, script } })
  output.printExact(script.trimEnd())
  return success(EXIT.done)
}
