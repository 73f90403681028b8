import { FollowError } from '../../client/index.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import type { Problem } from '../problem.ts'
import { stopSignals } from '../stop-signals.ts'
import { lastingEvents } from './lasting-events.ts'

/** Waits until a session's program runs. `over`: it never did, or does no more; or the person left. */
export async function untilStarted(
  needs: CommandNeeds,
  link: DaemonLink,
  sessionId: string,
): Promise<Result<'running' | 'over', Problem>> {
  using stop = stopSignals(needs.surroundings)
  const events = lastingEvents(
    { link, say: needs.output.note },
    (options) => link.client.followSession(sessionId, options),
    AbortSignal.any([stop.signal, needs.output.closed]),
  )
  try {
    for await (const event of events) if (event.type === 'session_started') return success('running')
  } catch (error) {
    if (!(error instanceof FollowError)) throw error
    return failure(apiProblem(error.error))
  }
  const problem = link.problem()
  return problem === undefined ? success('over') : failure(problem)
}
