import { success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome } from '../problem.ts'
import { withAnswer, withFound } from '../with-daemon.ts'

/** Breaks off the turn a session is in; it then waits for the next word. */
export async function interruptCommand(needs: CommandNeeds, text: string): Promise<Outcome> {
  return withFound(needs, text, ['session'], (client, { id }) =>
    withAnswer(client.interruptSession(id), (session) => {
      needs.output.value({ success: true, data: session })
      needs.output.print(
        `${id} is interrupted; tell it what to do instead: ${needs.output.hint(`muster send ${id} "..."`)}`,
      )
      return success(EXIT.done)
    }),
  )
}
