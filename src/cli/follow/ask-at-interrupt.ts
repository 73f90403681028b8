import type { CommandNeeds } from '../command-needs.ts'
import { stopSignals } from '../stop-signals.ts'

/** What a person chose at Ctrl-C while following a job. */
export type Choice = 'follow' | 'detach' | 'cancel'

/** Asks what Ctrl-C was meant to do. A second Ctrl-C is an answer too: leave at once. */
export async function askAtInterrupt(
  needs: CommandNeeds,
  jobId: string,
  ending: AbortSignal,
): Promise<Choice> {
  const { isCancel, select } = await import('@clack/prompts')
  using again = stopSignals(needs.surroundings, ['SIGINT'])
  const answer = await select<Choice>({
    message: `The job ${jobId} is running. What now?`,
    options: [
      { value: 'detach', label: 'detach', hint: 'the job goes on in the background' },
      { value: 'cancel', label: 'cancel the job', hint: 'what has landed stays' },
      { value: 'follow', label: 'keep following' },
    ],
    input: needs.surroundings.stdin,
    output: needs.surroundings.stdout,
    signal: AbortSignal.any([again.signal, ending]),
  })
  return isCancel(answer) ? 'detach' : answer
}
