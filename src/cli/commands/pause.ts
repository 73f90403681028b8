import { success } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome } from '../problem.ts'
import { withAnswer, withFound } from '../with-daemon.ts'

export async function pauseCommand(needs: CommandNeeds, text: string): Promise<Outcome> {
  return withFound(needs, text, ['job'], (client, { id }) =>
    withAnswer(client.pauseJob(id), (job) => {
      needs.output.value({ success: true, data: job })
      const resting =
        job.status === 'paused' ? 'is paused' : 'rests as soon as what runs has ended; nothing new starts'
      const next = needs.output.hint(`muster resume ${id}`)
      needs.output.print(`${id} ${resting}; let it go on with: ${next}`)
      return success(EXIT.done)
    }),
  )
}
