import { failure, success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome, Problem } from '../problem.ts'
import { withAnswer, withFound } from '../with-daemon.ts'

/** Breaks off the turn a session is in; it then waits for the next word. */
export async function interruptCommand(needs: CommandNeeds, text: string): Promise<Outcome> {
  return withFound(needs, text, ['session'], (client, { id }) =>
    withAnswer(client.interruptSession(id), (session) => {
      if (session.mode === 'headless' && session.openTurns === 0) return failure(inNoTurn(id))
      needs.output.value({ success: true, data: session })
      needs.output.print(
        session.mode === 'interactive'
          ? `${id} is interrupted; see its screen with: ${needs.output.hint(`muster attach ${id}`)}`
          : `${id} is interrupted; tell it what to do instead: ${needs.output.hint(`muster send ${id} "..."`)}`,
      )
      return success(EXIT.done)
    }),
  )
}

function inNoTurn(id: string): Problem {
  return {
    type: 'no-turn',
    exitCode: EXIT.conflict,
    message: `${id} is in no turn; it waits for your word`,
    next: `muster send ${id} "..."`,
  }
}
