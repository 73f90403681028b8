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
import { wrapLine } from '../render/text/wrap-line.ts'
import { stopSignals } from '../stop-signals.ts'
import { type Aside, answerInPlace } from './answer-in-place.ts'
import { askAtInterrupt, type Choice } from './ask-at-interrupt.ts'
import { openAttention } from './attention.ts'
import { type BaseWatched, watchBase } from './base-watch.ts'
import { type DesktopNotices, openDesktopNotices } from './desktop-notices.ts'
import type { FollowEnd, FollowFlags } from './follow-flags.ts'
import { endAfter, isOfOther } from './followed-run.ts'
import type { StartSignals } from './guard-start.ts'
import { holdKeys } from './hold-keys.ts'
import { firstProgress, nextProgress, type Progress } from './progress.ts'
import { jobEvents } from './resilient-events.ts'
import { type RunWatch, type RunWatched, watchRun } from './run-watch.ts'
import { createNoticeSender } from './send-notice.ts'
import { createTaskNames, type TaskNames } from './task-names.ts'
import { untilFinished } from './until-finished.ts'
import { wantsNotices } from './wants-notices.ts'

/** A key that is pressed sooner was meant for the request before. */
const READ_MS = 500
const CTRL_C = '\u0003'

/** What is followed, and how far. Following again continues from here. */
type Place = {
  readonly link: DaemonLink
  readonly jobId: string
  readonly names: TaskNames
  readonly hint: string
  /** Whether keys answer what waits for the person. */
  readonly hasKeys: boolean
  after: number
  progress: Progress
  /** The request that keys apply to, and since when it is shown. */
  shown?: { readonly id: string; readonly at: number } | undefined
  /** What a key started, which runs before following continues. */
  aside?: Aside | undefined
  /** The run that is shown, if not the newest. */
  readonly run?: string | undefined
  readonly only?: FollowFlags['only']
  /** What the person did before following began. */
  before?: StartSignals | undefined
  /** Keeps the stages of a run up to date. */
  runs?: RunWatch | undefined
  /** Absent if the person wants no desktop notifications. */
  notices?: DesktopNotices
  /** Prints a remark without disturbing the live view. */
  say: (line: string) => void
}

/** Shows a job until it ends or the person leaves. In a terminal, Ctrl-C asks what to do; otherwise it leaves. */
export async function followJob(
  needs: CommandNeeds,
  link: DaemonLink,
  jobId: string,
  flags: FollowFlags,
  before?: StartSignals,
): Promise<Result<FollowEnd, Problem>> {
  const first = firstPlace(needs, link, jobId, 'Ctrl-C for options', needs.output.isTerminal)
  const place = { ...first, run: flags.run, only: flags.only, before }
  const isNoticed = await wantsNotices(needs.surroundings, flags.notify)
  const warn = (line: string) => place.say(line)
  using notices = isNoticed ? openDesktopNotices(createNoticeSender(needs, warn)) : undefined
  if (notices !== undefined) place.notices = notices
  using stop = stopSignals(needs.surroundings, ['SIGTERM', 'SIGHUP'])
  const ending = AbortSignal.any([stop.signal, ...(before === undefined ? [] : [before.ending])])
  for (;;) {
    const end = await followUntilInterrupt(needs, place, ending)
    const mayAsk = needs.output.isTerminal && !ending.aborted
    if (!end.ok || end.value !== 'left' || !mayAsk) return end
    const left = await afterInterrupt(needs, place, ending)
    if (left !== undefined) return left
  }
}

/** The person replies, reads in a pager, or chooses at Ctrl-C; undefined if following continues. */
async function afterInterrupt(
  needs: CommandNeeds,
  place: Place,
  ending: AbortSignal,
): Promise<Result<FollowEnd, Problem> | undefined> {
  const { aside } = place
  place.aside = undefined
  if (aside !== undefined) {
    await aside(ending)
    return undefined
  }
  const choice = await askWhileOpen(needs, place, ending)
  if (choice === 'detach') return success('left')
  if (choice === 'follow') return undefined
  const cancelled = await place.link.client.cancelJob(place.jobId, {})
  return cancelled.ok ? undefined : failure(apiProblem(cancelled.failure))
}

/** Asks what Ctrl-C should do. If the job ends meanwhile, the question is closed and the rest is shown. */
async function askWhileOpen(needs: CommandNeeds, place: Place, ending: AbortSignal): Promise<Choice> {
  const ended = new AbortController()
  const answered = new AbortController()
  const watching = untilFinished(place, AbortSignal.any([answered.signal, ending])).then((isFinished) => {
    if (isFinished) ended.abort()
  })
  const choice = await askAtInterrupt(needs, place.jobId, AbortSignal.any([ending, ended.signal]))
  answered.abort()
  await watching
  return ended.signal.aborted ? 'follow' : choice
}

function firstPlace(
  needs: CommandNeeds,
  link: DaemonLink,
  jobId: string,
  hint: string,
  hasKeys = false,
): Place {
  const progress = firstProgress(needs.surroundings.now().getTime())
  const { note: say } = needs.output
  return { link, jobId, names: createTaskNames(link.client), hint, hasKeys, after: 0, progress, say }
}

async function followUntilInterrupt(
  needs: CommandNeeds,
  place: Place,
  ending: AbortSignal,
): Promise<Result<FollowEnd, Problem>> {
  using interrupt = stopSignals(needs.surroundings, ['SIGINT'])
  const { before } = place
  const early = before === undefined ? [] : [before.interrupted]
  // From here on, this listens; an interrupt before counts once.
  before?.[Symbol.dispose]()
  place.before = undefined
  // Awaited here, because the listener is disposed when this function returns.
  return await showJobEvents(needs, place, AbortSignal.any([interrupt.signal, ending, ...early]))
}

/** Shows a job without asking questions. The caller decides when to leave, with the signal. */
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
  const left = new AbortController()
  const signal = AbortSignal.any([stop, closed, left.signal])
  using attention = openAttention(needs, place.progress.waiting.length)
  await using view = await openView(needs, place)
  place.say = view.say
  place.runs = watchRun(runOf(needs, place, view))
  using _base = needs.output.isTerminal ? watchBase(baseOf(needs, place, view)) : undefined
  using _keys = place.hasKeys ? answerKeys(needs, place, view, left) : undefined
  const events = jobEvents({ link, say: view.say }, jobId, signal, place.after)
  try {
    for await (const event of events) {
      await showEvent(needs, place, view, event)
      const end = await endAfter(needs, place, event)
      if (end !== undefined) return success(end)
      attention.show(place.progress.waiting.length)
      place.notices?.show(place.progress.waiting)
    }
  } catch (error) {
    if (!(error instanceof FollowError)) throw error
    return failure(apiProblem(error.error))
  }
  if (closed.aborted) return success('closed')
  if (signal.aborted) return success('left')
  const problem = link.problem()
  return problem === undefined ? success('ended') : failure(problem)
}

function baseOf({ surroundings }: CommandNeeds, place: Place, view: JobView): BaseWatched {
  return {
    now: surroundings.now,
    jobId: place.jobId,
    client: () => place.link.client,
    progress: () => place.progress,
    show: shownBy(place, view),
  }
}

function runOf({ output }: CommandNeeds, place: Place, view: JobView): RunWatched {
  const show = shownBy(place, view)
  return {
    isShown: output.isTerminal,
    client: () => place.link.client,
    run: place.run,
    show: (run) => show({ ...place.progress, run }),
  }
}

function shownBy(place: Place, view: JobView): (progress: Progress) => void {
  return (progress) => {
    place.progress = progress
    view.show(progress)
  }
}

/** Keys answer what is shown. In raw mode, the terminal sends Ctrl-C as a key too. */
function answerKeys(needs: CommandNeeds, place: Place, view: JobView, left: AbortController): Disposable {
  let isBusy = false
  return holdKeys(needs.surroundings.stdin, (key) => {
    if (key === CTRL_C) return left.abort()
    const [wait] = place.progress.waiting
    const isRead = needs.surroundings.now().getTime() - (place.shown?.at ?? 0) >= READ_MS
    if (wait === undefined || wait.id !== place.shown?.id || !isRead || isBusy) return
    isBusy = true
    void answerInPlace(needs, place.link.client, wait, key, view.print).then((aside) => {
      isBusy = false
      if (aside === undefined) return
      place.aside = aside
      left.abort()
    })
  })
}

async function showEvent(
  needs: CommandNeeds,
  place: Place,
  view: JobView,
  printed: WireEvent,
): Promise<void> {
  const { output } = needs
  place.after = printed.seq
  if (isOfOther(place, printed)) return
  output.value(rawEvent(printed))
  if (output.json || output.quiet) return output.drained()
  const event = await place.names.placed(printed)
  const name = await place.names.nameOf(event)
  const detail = output.verbose ? 'verbose' : 'normal'
  const line = eventLine(event, name?.label, output.paint, detail, output.hint)
  if (line !== undefined) printEvent(needs, view, line)
  place.progress = nextProgress(place.progress, event, name)
  const [wait] = place.progress.waiting
  if (wait?.id !== place.shown?.id) {
    place.shown = wait && { id: wait.id, at: needs.surroundings.now().getTime() }
  }
  view.show(place.progress)
  place.runs?.see(event)
  await output.drained()
}

/** An event may have a second line with a command. */
function printEvent({ output, surroundings }: CommandNeeds, view: JobView, text: string): void {
  const { columns } = surroundings.stdout
  for (const line of output.ids
    .inText(text)
    .split('\n')
    .flatMap((part) => wrapLine(part, columns)))
    view.print(line)
}

/** A live view that can also print remarks that are not about the job. */
type JobView = LiveView & { readonly say: (line: string) => void }

/** Without a terminal, the view is just lines. */
async function openView(needs: CommandNeeds, place: Place): Promise<JobView> {
  const { output, surroundings } = needs
  if (!output.isTerminal || output.quiet) {
    return {
      print: output.printExact,
      show: () => {},
      say: output.note,
      [Symbol.asyncDispose]: async () => {},
    }
  }
  const { stdout, now } = surroundings
  const view = await openLiveView({ stdout, now, paint: output.paint, hint: place.hint }, place.progress)
  return { ...view, say: (line) => view.print(output.paint('warn', output.ids.inText(line))) }
}
