import { FollowError, type MusterClient } from '../../client/index.ts'
import type { WireEvent } from '../../contract/event.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import type { Problem } from '../problem.ts'
import { type Detail, eventLine } from '../render/event-line.ts'
import { type LiveView, openLiveView } from '../render/live-view.ts'
import { askAtInterrupt } from './ask-at-interrupt.ts'
import { jobEvents } from './job-events.ts'
import { firstProgress, nextProgress, type Progress } from './progress.ts'
import { createTaskNames, type TaskNames } from './task-names.ts'

/** `left`: the person stopped watching, the job did not stop. `closed`: nobody reads the output any more. */
export type FollowEnd = 'over' | 'left' | 'closed'

/** How far a job was followed; what a new round goes on from. */
type Place = { after: number; progress: Progress; readonly hint: string }

/** Shows a job as it goes, until it is over or the person leaves. Ctrl-C asks in a terminal, else it leaves. */
export async function followJob(
  needs: CommandNeeds,
  client: MusterClient,
  jobId: string,
): Promise<Result<FollowEnd, Problem>> {
  const place = firstPlace(needs, 'Ctrl-C for choices')
  const names = createTaskNames(client)
  for (;;) {
    const end = await followUntilInterrupt(needs, client, jobId, names, place)
    if (!end.ok || end.value !== 'left' || !needs.output.isTerminal) return end
    const choice = await askAtInterrupt(needs, jobId)
    if (choice === 'detach') return success('left')
    if (choice !== 'cancel') continue
    const cancelled = await client.cancelJob(jobId, { reason: 'cancelled at the terminal' })
    if (!cancelled.ok) return failure(apiProblem(cancelled.failure))
  }
}

function firstPlace(needs: CommandNeeds, hint: string): Place {
  return { after: 0, progress: firstProgress(needs.surroundings.now().getTime()), hint }
}

async function followUntilInterrupt(
  needs: CommandNeeds,
  client: MusterClient,
  jobId: string,
  names: TaskNames,
  place: Place,
): Promise<Result<FollowEnd, Problem>> {
  const stop = new AbortController()
  using _listening = needs.surroundings.onSignal('SIGINT', () => stop.abort())
  const signal = AbortSignal.any([stop.signal, needs.output.closed])
  // Awaited here, because the listener is given up when this function returns.
  return await showJobEvents(needs, client, jobId, names, place, signal)
}

/** The same without questions: whoever gives the signal decides when to leave. */
export async function showJob(
  needs: CommandNeeds,
  client: MusterClient,
  jobId: string,
  stop: AbortSignal,
): Promise<Result<FollowEnd, Problem>> {
  const place = firstPlace(needs, 'Ctrl-C to stop')
  const signal = AbortSignal.any([stop, needs.output.closed])
  return showJobEvents(needs, client, jobId, createTaskNames(client), place, signal)
}

async function showJobEvents(
  needs: CommandNeeds,
  client: MusterClient,
  jobId: string,
  names: TaskNames,
  place: Place,
  signal: AbortSignal,
): Promise<Result<FollowEnd, Problem>> {
  await using view = await openView(needs, place)
  try {
    for await (const event of jobEvents(needs, client, jobId, place.after, signal)) {
      await showEvent(needs, names, place, view, event)
    }
  } catch (error) {
    if (!(error instanceof FollowError)) throw error
    return failure(apiProblem(error.error))
  }
  if (needs.output.closed.aborted) return success('closed')
  return success(signal.aborted ? 'left' : 'over')
}

async function showEvent(
  needs: CommandNeeds,
  names: TaskNames,
  place: Place,
  view: LiveView,
  event: WireEvent,
): Promise<void> {
  const { output } = needs
  place.after = event.seq
  output.value(event)
  if (output.json) return output.drained()
  const name = await names.nameOf(event)
  const line = eventLine(event, name?.label, output.paint, detailOf(needs))
  if (line !== undefined) view.print(line)
  place.progress = nextProgress(place.progress, event, name)
  view.show(place.progress)
  await output.drained()
}

function detailOf(needs: CommandNeeds): Detail {
  if (needs.output.quiet) return 'quiet'
  return needs.output.verbose ? 'verbose' : 'normal'
}

/** Into a pipe the lines are all there is. */
async function openView(needs: CommandNeeds, place: Place): Promise<LiveView> {
  const { output, surroundings } = needs
  if (!output.isTerminal || output.quiet) {
    return { print: output.print, show: () => {}, [Symbol.asyncDispose]: async () => {} }
  }
  const { stdout, now } = surroundings
  return openLiveView({ stdout, now, paint: output.paint, hint: place.hint }, place.progress)
}
