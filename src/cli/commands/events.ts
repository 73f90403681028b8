import type { WireEvent } from '../../contract/event.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { scopedEvents, scopeOf } from '../follow/event-scope.ts'
import { resilientEvents } from '../follow/resilient-events.ts'
import { createTaskNames, type TaskNames } from '../follow/task-names.ts'
import { watchEvents } from '../follow/watch-events.ts'
import type { Outcome } from '../problem.ts'
import { rawEvent, rawEventLine } from '../render/event/raw-event-line.ts'
import { withDaemon, withFound } from '../with-daemon.ts'

export type EventsFlags = { readonly follow?: true; readonly lines?: number }

/** Prints the events of a job, task or session, or follows the events of everything. */
export async function eventsCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: EventsFlags,
): Promise<Outcome> {
  if (text === undefined && flags.follow === true) return followAll(needs)
  return withFound(needs, text, ['job', 'task', 'run', 'session'], async (client, found, link) => {
    const scope = await scopeOf(client, found)
    if (!scope.ok) return scope
    const names = createTaskNames(client)
    const span = { tail: flags.lines, follow: flags.follow === true }
    return watchEvents(
      { ...needs, link },
      (signal) => scopedEvents({ ...needs, link }, scope.value, span, signal),
      (event) => showEvent(needs, names, event),
    )
  })
}

async function followAll(needs: CommandNeeds): Promise<Outcome> {
  return withDaemon(needs, (client, link) => {
    const names = createTaskNames(client)
    return watchEvents(
      { ...needs, link },
      (signal) =>
        resilientEvents({ link, say: needs.output.note }, (options) => client.followAll(options), signal),
      (event) => showEvent(needs, names, event),
    )
  })
}

async function showEvent(needs: CommandNeeds, names: TaskNames, event: WireEvent): Promise<void> {
  needs.output.value(rawEvent(event))
  if (needs.output.json) return
  const name = await names.nameOf(await names.placed(event))
  needs.output.print(rawEventLine(event, name?.label, needs.output.paint))
}
