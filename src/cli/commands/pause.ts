import type { CommandNeeds } from '../command-needs.ts'
import { printResult } from '../print-result.ts'
import type { Outcome } from '../problem.ts'
import { withAnswer, withChanged } from '../with-daemon.ts'

export async function pauseCommand(needs: CommandNeeds, text: string | undefined): Promise<Outcome> {
  return withChanged(needs, text, ['job'], (client, { id }) =>
    withAnswer(client.pauseJob(id), (job) => {
      const state =
        job.status === 'paused' ? 'is paused' : 'pauses when its running agents finish; nothing new starts'
      const next = needs.output.hint(`muster resume ${id}`)
      return printResult(needs, job, [`${id} ${state}; resume it with: ${next}`])
    }),
  )
}
