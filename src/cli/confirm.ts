import { failure, success } from '../domain/result.ts'
import type { CommandNeeds } from './command-needs.ts'
import { EXIT } from './exit-code.ts'
import type { Outcome } from './problem.ts'
import { askPerson } from './trust/ask-person.ts'

type Question = {
  readonly text: string
  /** What was not done: "nothing was deleted". */
  readonly undone: string
  /** The same command with the flag that answers yes. */
  readonly command: string
}

/**
 * Asks before something can't be undone. Without a terminal, only the flag `--yes` is an answer. If the person doesn't
 * agree, returns how the command ends; that is no error.
 */
export async function confirm(
  needs: CommandNeeds,
  isAgreed: boolean,
  { text, undone, command }: Question,
): Promise<Outcome | 'agreed'> {
  if (isAgreed) return 'agreed'
  if (!needs.output.isTerminal) {
    return failure({
      type: 'not-confirmed',
      exitCode: EXIT.usage,
      message: `${undone}: confirming this needs a terminal`,
      next: command,
    })
  }
  const answer = await askPerson(needs, text)
  if (answer === 'yes') return 'agreed'
  needs.output.note(`${undone.charAt(0).toUpperCase()}${undone.slice(1)}.`)
  return success(answer === 'stopped' ? EXIT.interrupted : EXIT.failed)
}
