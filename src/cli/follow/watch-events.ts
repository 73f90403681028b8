import { FollowError } from '../../client/index.ts'
import type { WireEvent } from '../../contract/event.ts'
import { failure, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome } from '../problem.ts'
import { stopSignals } from '../stop-signals.ts'

/** Passes every event to `show` until the events end, Ctrl-C is pressed, or no one reads the output any more. */
export async function watchEvents(
  needs: CommandNeeds & { readonly link: DaemonLink },
  open: (signal: AbortSignal) => AsyncIterable<WireEvent>,
  show: (event: WireEvent) => Promise<void>,
): Promise<Outcome> {
  using stop = stopSignals(needs.surroundings)
  const { closed } = needs.output
  try {
    for await (const event of open(AbortSignal.any([stop.signal, closed]))) {
      await show(event)
      await needs.output.drained()
      if (closed.aborted) break
    }
  } catch (error) {
    if (!(error instanceof FollowError)) throw error
    if (!stop.signal.aborted && !closed.aborted) return failure(apiProblem(error.error))
  }
  if (stop.signal.aborted) return success(EXIT.interrupted)
  const problem = closed.aborted ? undefined : needs.link.problem()
  return problem === undefined ? success(EXIT.done) : failure(problem)
}
