import { failure, type Result } from '../../domain/result.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'
import { stopSignals } from '../stop-signals.ts'

/** How long an interrupted command waits for the answer to its request to start something. */
const PATIENCE_MS = 10_000

/** What the person did since the request was sent. Disposing it stops listening; what fired stays. */
export type StartSignals = Disposable & {
  /** Ctrl-C. */
  readonly interrupted: AbortSignal
  /** The command must end without a question, for example because its terminal was closed. */
  readonly ending: AbortSignal
}

type Started = 'job' | 'session'

/**
 * Keeps Ctrl-C from leaving something running that the person was never told about. Open it right before the request
 * is sent. An interrupt then waits a short time for the answer; a second one ends the command at once.
 */
export function guardStart(
  { surroundings, output }: Pick<CommandNeeds, 'surroundings' | 'output'>,
  started: Started,
  patienceMs = PATIENCE_MS,
): StartSignals & { answer<Data>(work: Promise<Result<Data, Problem>>): Promise<Result<Data, Problem>> } {
  const listeners = new DisposableStack()
  const interrupt = listeners.use(stopSignals(surroundings, ['SIGINT']))
  const end = listeners.use(stopSignals(surroundings, ['SIGTERM', 'SIGHUP']))
  const any = AbortSignal.any([interrupt.signal, end.signal])
  return {
    interrupted: interrupt.signal,
    ending: end.signal,
    answer: async (work) => {
      const answered = new AbortController()
      const left = new Promise<Result<never, Problem>>((resolve) => {
        const leave = () => resolve(failure(unanswered(started)))
        const whenInterrupted = () => {
          output.note('waiting for the daemon to answer; to exit at once, press Ctrl-C again')
          const timer = setTimeout(leave, patienceMs)
          answered.signal.addEventListener('abort', () => clearTimeout(timer))
          const again = listeners.use(stopSignals(surroundings))
          again.signal.addEventListener('abort', leave)
        }
        any.addEventListener('abort', whenInterrupted, { signal: answered.signal })
      })
      try {
        return await Promise.race([work, left])
      } finally {
        answered.abort()
      }
    },
    [Symbol.dispose]: () => listeners.dispose(),
  }
}

function unanswered(started: Started): Problem {
  return {
    type: 'start-unanswered',
    exitCode: EXIT.interrupted,
    message: `the daemon has not answered yet, so a ${started} may have been started`,
    next: `muster list ${started}s`,
  }
}
