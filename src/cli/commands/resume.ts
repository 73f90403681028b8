import { success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome } from '../problem.ts'
import { withAnswer, withFound } from '../with-daemon.ts'

export async function resumeCommand(needs: CommandNeeds, text: string): Promise<Outcome> {
  return withFound(needs, text, ['job'], (client, { id }) =>
    withAnswer(client.resumeJob(id), (job) => {
      needs.output.value({ success: true, data: job })
      needs.output.print(`${id} goes on; follow it with: ${needs.output.hint(`muster events ${id} -f`)}`)
      return success(EXIT.done)
    }),
  )
}
