import type { WireEvent } from '../../contract/event.ts'
import type { CommandNeeds } from '../command-needs.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import { type EventScope, scopedEvents, scopeOf } from '../follow/event-scope.ts'
import { createTranscript, type Transcript } from '../follow/transcript.ts'
import { watchEvents } from '../follow/watch-events.ts'
import { withPager } from '../pager/with-pager.ts'
import { type Since, startOf } from '../parse/since-flag.ts'
import type { Outcome } from '../problem.ts'
import { withFound } from '../with-daemon.ts'

export type LogsFlags = {
  readonly follow?: true
  readonly lines?: number
  readonly since?: Since
  readonly timestamps?: true
}

// How many of the latest events are read to find the latest lines.
const EVENTS_READ_FOR_LINES = 1000

/** Prints what was said in the sessions of a job, task or session, by agents and people, as a transcript. */
export async function logsCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: LogsFlags,
): Promise<Outcome> {
  const show = (shown: CommandNeeds) =>
    withFound(shown, text, ['job', 'task', 'run', 'session'], async (client, found, link) => {
      const scope = await scopeOf(client, found)
      return scope.ok ? showTranscript({ ...shown, link }, scope.value, flags) : scope
    })
  return flags.follow === true ? show(needs) : withPager(needs, show)
}

async function showTranscript(
  needs: CommandNeeds & { readonly link: DaemonLink },
  scope: EventScope,
  flags: LogsFlags,
): Promise<Outcome> {
  const { timestamps = false, since } = flags
  const transcript = createTranscript(needs, needs.link.client, { timestamps })
  const start = since === undefined ? 0 : startOf(since, needs.surroundings.now()).getTime()
  const isWithin = (event: WireEvent) => Date.parse(event.at) >= start
  if (flags.lines === undefined) {
    const span = { follow: flags.follow === true }
    return watchEvents(
      needs,
      (signal) => scopedEvents(needs, scope, span, signal),
      async (event) => {
        if (isWithin(event)) await transcript.print(event)
      },
    )
  }
  const latest: WireEvent[] = []
  const read = await watchEvents(
    needs,
    (signal) => scopedEvents(needs, scope, { tail: EVENTS_READ_FOR_LINES, follow: false }, signal),
    async (event) => {
      latest.push(event)
    },
  )
  if (!read.ok) return read
  await printLatest(needs, transcript, latest.filter(isWithin), flags.lines)
  if (flags.follow !== true) return read
  return watchEvents(
    needs,
    (signal) => scopedEvents(needs, scope, { after: latest.at(-1)?.seq, follow: true }, signal),
    (event) => transcript.print(event),
  )
}

async function printLatest(
  needs: CommandNeeds,
  transcript: Transcript,
  events: readonly WireEvent[],
  count: number,
): Promise<void> {
  const lines: string[] = []
  const spoken: WireEvent[] = []
  for (const event of events) {
    const added = await transcript.linesOf(event)
    lines.push(...added)
    if (added.length > 0) spoken.push(event)
  }
  for (const event of spoken.slice(-count)) needs.output.value(event)
  for (const line of lines.slice(-count)) needs.output.printProse(line)
}
