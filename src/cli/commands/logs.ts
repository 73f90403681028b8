import type { MusterClient } from '../../client/index.ts'
import type { WireEvent } from '../../contract/event.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { visitLabel } from '../../domain/run/visit-label.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import { type EventScope, type Span, scopedEvents, scopeOf } from '../follow/event-scope.ts'
import { roleEvents } from '../follow/role-events.ts'
import { createTranscript, type Transcript } from '../follow/transcript.ts'
import { watchEvents } from '../follow/watch-events.ts'
import { withPager } from '../pager/with-pager.ts'
import { type Since, startOf } from '../parse/since-flag.ts'
import type { Outcome, Problem } from '../problem.ts'
import { safeLine } from '../render/text/safe-text.ts'
import type { RolesOfRun } from '../role/find-role.ts'
import { findSpoken, type Spoken } from '../role/find-spoken.ts'
import { createRoleSessions } from '../role/role-sessions.ts'
import { withDaemon } from '../with-daemon.ts'

export type LogsFlags = {
  readonly run?: string
  readonly follow?: true
  readonly lines?: number
  readonly since?: Since
  readonly timestamps?: true
}

// How many of the latest events are read to find the latest lines.
const EVENTS_READ_FOR_LINES = 1000

type Linked = CommandNeeds & { readonly link: DaemonLink }

/** What is printed, and how its lines are labelled. */
type Said = {
  readonly open: (span: Span, signal: AbortSignal) => AsyncIterable<WireEvent>
  readonly labelOf?: (event: WireEvent) => Promise<string | undefined>
}

/** Prints what was said in the sessions of a job, task, run, session or role, by agents and people, as a transcript. */
export async function logsCommand(
  needs: CommandNeeds,
  text: string | undefined,
  role: string | undefined,
  flags: LogsFlags,
): Promise<Outcome> {
  const show = (shown: CommandNeeds) =>
    withDaemon(shown, async (client, link) => {
      const linked = { ...shown, link }
      const found = await findSpoken(shown, client, { text, role, run: flags.run })
      if (!found.ok) return found
      const said = await saidBy(linked, client, found.value)
      return said.ok ? showTranscript(linked, said.value, flags) : said
    })
  return flags.follow === true ? show(needs) : withPager(needs, show)
}

async function saidBy(needs: Linked, client: MusterClient, spoken: Spoken): Promise<Result<Said, Problem>> {
  if (spoken.type === 'role') return success(saidByRole(needs, spoken))
  const { found } = spoken
  if (found.kind === 'run') {
    const run = await client.getRun(found.id)
    return run.ok ? success(saidByRole(needs, { run: run.value })) : failure(apiProblem(run.failure))
  }
  const scope = await scopeOf(client, found)
  return scope.ok ? success(saidIn(needs, scope.value)) : scope
}

function saidIn(needs: Linked, scope: EventScope): Said {
  return { open: (span, signal) => scopedEvents(needs, scope, span, signal) }
}

/** Its lines are labelled with the stage, because they are all of the same task. */
function saidByRole(needs: Linked, role: RolesOfRun): Said {
  const sessions = createRoleSessions(() => needs.link.client, role)
  needs.output.note(
    `${role.role === undefined ? '' : `${safeLine(role.role)} in `}${role.run.id} of ${safeLine(role.run.playbook)}`,
  )
  return {
    open: (span, signal) => roleEvents(needs, role, sessions, span, signal),
    labelOf: async ({ sessionId = '' }) => {
      const visit = await sessions.visitOf(sessionId)
      return visit === undefined ? undefined : safeLine(visitLabel(visit))
    },
  }
}

async function showTranscript(needs: Linked, { open, labelOf }: Said, flags: LogsFlags): Promise<Outcome> {
  const { timestamps = false, since } = flags
  const labels = labelOf === undefined ? {} : { labelOf }
  const transcript = createTranscript(needs, needs.link.client, { timestamps, ...labels })
  const start = since === undefined ? 0 : startOf(since, needs.surroundings.now()).getTime()
  const isWithin = (event: WireEvent) => Date.parse(event.at) >= start
  if (flags.lines === undefined) {
    const span = { follow: flags.follow === true }
    return watchEvents(
      needs,
      (signal) => open(span, signal),
      async (event) => {
        if (isWithin(event)) await transcript.print(event)
      },
    )
  }
  const latest: WireEvent[] = []
  const read = await watchEvents(
    needs,
    (signal) => open({ tail: EVENTS_READ_FOR_LINES, follow: false }, signal),
    async (event) => {
      latest.push(event)
    },
  )
  if (!read.ok) return read
  await printLatest(needs, transcript, latest.filter(isWithin), flags.lines)
  if (flags.follow !== true) return read
  return watchEvents(
    needs,
    (signal) => open({ after: latest.at(-1)?.seq, follow: true }, signal),
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
