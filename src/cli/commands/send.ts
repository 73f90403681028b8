import { success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome } from '../problem.ts'
import { withAnswer, withFound } from '../with-daemon.ts'
import { readMessageText } from './agent/read-message-text.ts'

/** Says something to a session's program; `-` is standard input. */
export async function sendCommand(needs: CommandNeeds, text: string, given: string): Promise<Outcome> {
  const words = await readMessageText(needs.surroundings, given)
  if (!words.ok) return words
  return withFound(needs, text, ['session'], (client, { id }) =>
    withAnswer(client.say(id, words.value), (session) => {
      needs.output.value({ success: true, data: session })
      const when = session.openTurns > 0 ? 'will hear it after the turn it is in' : 'is told'
      // What is on a screen is not in the logs.
      const how =
        session.mode === 'interactive'
          ? `see its screen with: ${needs.output.hint(`muster attach ${id}`)}`
          : `listen with: ${needs.output.hint(`muster logs ${id} -f`)}`
      needs.output.print(`${id} ${when}; ${how}`)
      return success(EXIT.done)
    }),
  )
}
