import type { CommandNeeds } from '../command-needs.ts'
import { stopSignals } from '../stop-signals.ts'

/** What a person chose at Ctrl-C while following a job. */
export type Choice = 'follow' | 'detach' | 'cancel'

/** A closed prompt ends with the highlighted option, which Esc did not choose, and an empty row. */
const ERASE_OPTION = '\r\u001b[2A\u001b[J'

type Key = { readonly name?: string }

/** Asks what Ctrl-C should do. A second Ctrl-C leaves at once, and Esc only closes the question. */
export async function askAtInterrupt(
  needs: CommandNeeds,
  jobId: string,
  ending: AbortSignal,
): Promise<Choice> {
  const { isCancel, select } = await import('@clack/prompts')
  const { stdin, stdout } = needs.surroundings
  using again = stopSignals(needs.surroundings, ['SIGINT'])
  // The prompt doesn't say which of the two keys closed it.
  let isEscape = false
  const onKey = (_text: unknown, key: Key | undefined) => {
    isEscape = key?.name === 'escape'
  }
  stdin.on('keypress', onKey)
  const answer = await select<Choice>({
    message: `Job ${needs.output.ids.of(jobId)} is still running. What now?`,
    options: [
      { value: 'detach', label: 'detach', hint: 'the job continues in the background' },
      { value: 'cancel', label: 'cancel the job', hint: 'work that has landed stays' },
      { value: 'follow', label: 'keep following' },
    ],
    input: stdin,
    output: stdout,
    signal: AbortSignal.any([again.signal, ending]),
  })
  stdin.off('keypress', onKey)
  if (!isCancel(answer)) return answer
  const isStopped = again.signal.aborted || ending.aborted
  if (!isEscape || isStopped) return 'detach'
  stdout.write(ERASE_OPTION)
  needs.output.note('Still following the job.')
  return 'follow'
}
