import { success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome } from '../problem.ts'
import { withAnswer, withFound } from '../with-daemon.ts'

export type CancelFlags = { readonly reason?: string }

export async function cancelCommand(needs: CommandNeeds, text: string, flags: CancelFlags): Promise<Outcome> {
  return withFound(needs, text, ['job'], (client, { id }) =>
    withAnswer(client.cancelJob(id, { reason: flags.reason }), (job) => {
      needs.output.value({ success: true, data: job })
      needs.output.print(`${id} is cancelled; what had landed is on branch ${job.workingBranch}`)
      return success(EXIT.done)
    }),
  )
}
