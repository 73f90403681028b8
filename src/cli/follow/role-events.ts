import type { WireEvent } from '../../contract/event.ts'
import type { CommandNeeds } from '../command-needs.ts'
import type { DaemonLink } from '../daemon/daemon-link.ts'
import type { RolesOfRun } from '../role/find-role.ts'
import type { RoleSessions } from '../role/role-sessions.ts'
import { type Span, scopedEvents } from './event-scope.ts'

/** The events of the sessions of a role in a run, or of all its roles, in the order in which they happened. */
export async function* roleEvents(
  needs: CommandNeeds & { readonly link: DaemonLink },
  { run }: RolesOfRun,
  sessions: RoleSessions,
  span: Span,
  signal: AbortSignal,
): AsyncGenerator<WireEvent, void> {
  // The latest events of the task may all be about other roles, so they are all read.
  const { tail: _, ...whole } = span
  const scope = { type: 'job', jobId: run.jobId, task: run.taskId } as const
  for await (const event of scopedEvents(needs, scope, whole, signal)) {
    if (event.sessionId === undefined) continue
    if ((await sessions.visitOf(event.sessionId)) !== undefined) yield event
  }
}
