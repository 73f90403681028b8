import { failure, type Result, success } from '../domain/result.ts'
import type { CommandNeeds } from './command-needs.ts'
import { EXIT } from './exit-code.ts'
import type { Problem } from './problem.ts'
import { askPerson } from './trust/ask-person.ts'

type Question = {
  readonly text: string
  /** What was not done. */
  readonly undone: string
  /** The same command with the flag that answers yes. */
  readonly command: string
}

/** Asks before something can't be undone. Without a terminal, only the flag `--yes` is an answer. */
export async function confirm(
  needs: CommandNeeds,
  isAgreed: boolean,
  { text, undone, command }: Question,
): Promise<Result<void, Problem>> {
  if (isAgreed) return success(undefined)
  if (!needs.output.isTerminal) {
    return failure({
      type: 'not-confirmed',
      exitCode: EXIT.usage,
      message: `${undone}: confirming this needs a terminal`,
      next: command,
    })
  }
  if (await askPerson(needs, text)) return success(undefined)
  return failure({ type: 'not-confirmed', exitCode: EXIT.failed, message: undone })
}
