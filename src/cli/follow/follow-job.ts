import { FollowError } from '../../client/index.ts'
import type { WireEvent } from '../../contract/event.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import type { Problem } from '../problem.ts'
import { eventLine } from '../render/event/event-line.ts'
import { rawEvent } from '../render/event/raw-event-line.ts'
import { type LiveView, openLiveView } from '../render/live/live-view.ts'
import { stopSignals } from '../stop-signals.ts'
import { askAtInterrupt, type Choice } from './ask-at-interrupt.ts'
import { lastingEvents } from './lasting-events.ts'
import { firstProgress, nextProgress, type Progress } from './progress.ts'
import { createTaskNames, type TaskNames } from './task-names.ts'

/** `left`: the person stopped watching, the job did not stop. `closed`: nobody reads the output any more. */
export type FollowEnd = 'over' | 'left' | 'closed'

const JOB_ENDS: ReadonlySet<string> = new Set(['job_completed', 'job_cancelled', 'job_error'])

/** What is followed, and how far it was; what a new round goes on from. */
type Place = {
  readonly link: DaemonLink
  readonly jobId: string
  readonly names: TaskNames
  readonly hint: string
  after: number
  progress: Progress
}

/** Shows a job as it goes, until it is over or the person leaves. Ctrl-C asks in a terminal, else it leaves. */
export async function followJob(
  needs: CommandNeeds,
  link: DaemonLink,
  jobId: string,
): Promise<Result<FollowEnd, Problem>> {
  const place = firstPlace(needs, link, jobId, 'Ctrl-C for choices')
  using ending = stopSignals(needs.surroundings, ['SIGTERM', 'SIGHUP'])
  for (;;) {
    const end = await followUntilInterrupt(needs, place, ending.signal)
    const mayAsk = needs.output.isTerminal && !ending.signal.aborted
    if (!end.ok || end.value !== 'left' || !mayAsk) return end
    const choice = await askWhileOpen(needs, place, ending.signal)
    if (choice === 'detach') return success('left')
    if (choice === 'follow') continue
    const cancelled = await link.client.cancelJob(jobId, { reason: 'cancelled at the terminal' })
    if (!cancelled.ok) return failure(apiProblem(cancelled.failure))
  }
}

/** Asks what Ctrl-C was meant to do. When the job ends meanwhile nobody has to answer: the rest is shown. */
async function askWhileOpen(needs: CommandNeeds, place: Place, ending: AbortSignal): Promise<Choice> {
  const over = new AbortController()
  const answered = new AbortController()
  const watching = untilOver(place, AbortSignal.any([answered.signal, ending])).then((isOver) => {
    if (isOver) over.abort()
  })
  const choice = await askAtInterrupt(needs, place.jobId, AbortSignal.any([ending, over.signal]))
  answered.abort()
  await watching
  return over.signal.aborted ? 'follow' : choice
}

/** Whether the job ended before the signal. Shows nothing: what is missed here is shown afterwards. */
async function untilOver({ link, jobId, after }: Place, signal: AbortSignal): Promise<boolean> {
  const events = lastingEvents(
    { link, say: () => {} },
    (options) => link.client.follow(jobId, { ...options, after }),
    signal,
  )
  try {
    for await (const event of events) if (JOB_ENDS.has(event.type)) return true
  } catch (error) {
    // The question stays; whoever keeps following is told.
    if (!(error instanceof FollowError)) throw error
    return false
  }
  return !signal.aborted && link.problem() === undefined
}

function firstPlace(needs: CommandNeeds, link: DaemonLink, jobId: string, hint: string): Place {
  const progress = firstProgress(needs.surroundings.now().getTime())
  return { link, jobId, names: createTaskNames(link.client), hint, after: 0, progress }
}

async function followUntilInterrupt(
  needs: CommandNeeds,
  place: Place,
  ending: AbortSignal,
): Promise<Result<FollowEnd, Problem>> {
  using interrupt = stopSignals(needs.surroundings, ['SIGINT'])
  // Awaited here, because the listener is given up when this function returns.
  return await showJobEvents(needs, place, AbortSignal.any([interrupt.signal, ending]))
}

/** The same without questions: whoever gives the signal decides when to leave. */
export async function showJob(
  needs: CommandNeeds,
  link: DaemonLink,
  jobId: string,
  stop: AbortSignal,
): Promise<Result<FollowEnd, Problem>> {
  return showJobEvents(needs, firstPlace(needs, link, jobId, 'Ctrl-C to stop'), stop)
}

async function showJobEvents(
  needs: CommandNeeds,
  place: Place,
  stop: AbortSignal,
): Promise<Result<FollowEnd, Problem>> {
  const { link, jobId } = place
  const { closed } = needs.output
  const signal = AbortSignal.any([stop, closed])
  await using view = await openView(needs, place)
  const events = lastingEvents(
    { link, say: view.say },
    (options) => link.client.follow(jobId, { ...options, after: place.after }),
    signal,
  )
  try {
    for await (const event of events) await showEvent(needs, place, view, event)
  } catch (error) {
    if (!(error instanceof FollowError)) throw error
    return failure(apiProblem(error.error))
  }
  if (closed.aborted) return success('closed')
  if (signal.aborted) return success('left')
  const problem = link.problem()
  return problem === undefined ? success('over') : failure(problem)
}

async function showEvent(needs: CommandNeeds, place: Place, view: JobView, told: WireEvent): Promise<void> {
  const { output } = needs
  place.after = told.seq
  output.value(rawEvent(told))
  if (output.json || output.quiet) return output.drained()
  const event = await place.names.placed(told)
  const name = await place.names.nameOf(event)
  const line = eventLine(event, name?.label, output.paint, output.verbose ? 'verbose' : 'normal')
  if (line !== undefined) view.print(event.type === 'approval_requested' ? output.hint(line) : line)
  place.progress = nextProgress(place.progress, event, name)
  view.show(place.progress)
  await output.drained()
}

/** A live view that also has a place for what is not about the job. */
type JobView = LiveView & { readonly say: (line: string) => void }

/** Into a pipe the lines are all there is. */
async function openView(needs: CommandNeeds, place: Place): Promise<JobView> {
  const { output, surroundings } = needs
  if (!output.isTerminal || output.quiet) {
    return {
      print: output.print,
      show: () => {},
      say: output.note,
      [Symbol.asyncDispose]: async () => {},
    }
  }
  const { stdout, now } = surroundings
  const view = await openLiveView({ stdout, now, paint: output.paint, hint: place.hint }, place.progress)
  return { ...view, say: (line) => view.print(output.paint('warn', line)) }
}
