import { success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome } from '../problem.ts'
import { withAnswer, withFound } from '../with-daemon.ts'

export type SuspendFlags = { readonly reason?: string }

/** Lets a session rest: its program is stopped, its tree and its conversation stay. */
export async function suspendCommand(
  needs: CommandNeeds,
  text: string,
  { reason }: SuspendFlags,
): Promise<Outcome> {
  return withFound(needs, text, ['session'], (client, { id }) =>
    withAnswer(client.suspendSession(id, { reason }), (session) => {
      needs.output.value({ success: true, data: session })
      needs.output.print(`${id} rests; let it go on with: ${needs.output.hint(`muster resume ${id}`)}`)
      return success(EXIT.done)
    }),
  )
}
