import type { WireEvent } from '../../contract/event.ts'
import type { CommandNeeds } from '../command-needs.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import { type EventScope, scopedEvents, scopeOf } from '../follow/event-scope.ts'
import { sayEvent, spokenLines } from '../follow/say-event.ts'
import { createTaskNames, type TaskNames } from '../follow/task-names.ts'
import { watchEvents } from '../follow/watch-events.ts'
import type { Outcome } from '../problem.ts'
import { withFound } from '../with-daemon.ts'

export type LogsFlags = { readonly follow?: true; readonly lines?: number }

// The latest lines are somewhere in the latest events; so many of these are read to find them.
const EVENTS_READ_FOR_LINES = 1000

/** What agents said, as a transcript: of a job, a task or a session. */
export async function logsCommand(needs: CommandNeeds, text: string, flags: LogsFlags): Promise<Outcome> {
  return withFound(needs, text, ['job', 'task', 'session'], async (client, found, link) => {
    const scope = await scopeOf(client, found)
    return scope.ok ? showTranscript({ ...needs, link }, scope.value, flags) : scope
  })
}

async function showTranscript(
  needs: CommandNeeds & { readonly link: DaemonLink },
  scope: EventScope,
  flags: LogsFlags,
): Promise<Outcome> {
  const names = createTaskNames(needs.link.client)
  if (flags.lines === undefined) {
    const span = { follow: flags.follow === true }
    return watchEvents(
      needs,
      (signal) => scopedEvents(needs, scope, span, signal),
      (event) => sayEvent(needs, names, event),
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
  await sayLatest(needs, names, latest, flags.lines)
  if (flags.follow !== true) return read
  return watchEvents(
    needs,
    (signal) => scopedEvents(needs, scope, { after: latest.at(-1)?.seq, follow: true }, signal),
    (event) => sayEvent(needs, names, event),
  )
}

async function sayLatest(
  needs: CommandNeeds,
  names: TaskNames,
  events: readonly WireEvent[],
  count: number,
): Promise<void> {
  const lines: string[] = []
  const spoken: WireEvent[] = []
  for (const event of events) {
    const said = await spokenLines(needs, names, event)
    lines.push(...said)
    if (said.length > 0) spoken.push(event)
  }
  for (const event of spoken.slice(-count)) needs.output.value(event)
  for (const line of lines.slice(-count)) needs.output.print(line)
}
