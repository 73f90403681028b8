import type { CommandNeeds } from '../command-needs.ts'

/** What a person chose at Ctrl-C while following a job. */
export type Choice = 'follow' | 'detach' | 'cancel'

/** Asks what Ctrl-C was meant to do. A second Ctrl-C is an answer too: leave at once. */
export async function askAtInterrupt(needs: CommandNeeds, jobId: string): Promise<Choice> {
  const { isCancel, select } = await import('@clack/prompts')
  const again = new AbortController()
  using _listening = needs.surroundings.onSignal('SIGINT', () => again.abort())
  const answer = await select<Choice>({
    message: `The job ${jobId} is running. What now?`,
    options: [
      { value: 'detach', label: 'detach', hint: 'the job goes on in the background' },
      { value: 'cancel', label: 'cancel the job', hint: 'what has landed stays' },
      { value: 'follow', label: 'keep following' },
    ],
    input: needs.surroundings.stdin,
    output: needs.surroundings.stdout,
    signal: again.signal,
  })
  return isCancel(answer) ? 'detach' : answer
}
