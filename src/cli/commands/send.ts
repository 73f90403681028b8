import type { CommandNeeds } from '../command-needs.ts'
import { withSession } from '../find-session.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { readMessageText } from '../read-text.ts'
import { withAnswer } from '../with-daemon.ts'

/** Sends text to a session's program. */
export async function sendCommand(needs: CommandNeeds, text: string, given: string): Promise<Outcome> {
  const message = await readMessageText(needs.surroundings, given)
  if (!message.ok) return message
  return withSession(needs, text, { verb: 'send', rest: ' "..."' }, (client, id) =>
    withAnswer(client.say(id, message.value), (session) => {
      const when = session.openTurns > 0 ? 'gets the text after its current turn' : 'gets the text now'
      // The screen of an interactive session is not in the logs.
      const next =
        session.mode === 'interactive'
          ? `see its screen: ${needs.output.hint(`muster attach ${id}`)}`
          : `follow it with: ${needs.output.hint(`muster logs ${id} -f`)}`
      return printResult(needs, session, [`${id} ${when}; ${next}`])
    }),
  )
}
