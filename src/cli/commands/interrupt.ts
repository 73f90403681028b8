import { failure } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { withSession } from '../find-session.ts'
import { printResult } from '../print-result.ts'
import type { Outcome, Problem } from '../problem.ts'
import { withAnswer } from '../with-daemon.ts'

/** Interrupts a session's current turn. The session then waits for the next message. */
export async function interruptCommand(needs: CommandNeeds, text: string): Promise<Outcome> {
  return withSession(needs, text, { verb: 'interrupt' }, (client, id) =>
    withAnswer(client.interruptSession(id), (session) => {
      if (session.mode === 'headless' && session.openTurns === 0) return failure(notInTurn(id))
      const next =
        session.mode === 'interactive'
          ? `see its screen: ${needs.output.hint(`muster attach ${id}`)}`
          : `tell it what to do instead: ${needs.output.hint(`muster send ${id} "..."`)}`
      return printResult(needs, session, [`${id} is interrupted; ${next}`])
    }),
  )
}

function notInTurn(id: string): Problem {
  return {
    type: 'no-turn',
    exitCode: EXIT.conflict,
    message: `${id} is not in a turn; it is waiting for you`,
    next: `muster send ${id} "..."`,
  }
}
