import { assertNever } from '../../../domain/assert-never.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { SessionEnd } from '../../../domain/session/session-state.ts'
import type { HostId, HostSnapshot, SessionHost, Spool } from '../../../ports/session-host.ts'

/** How the program of a session ended; undefined while it runs. */
export function endOf(snapshot: HostSnapshot, session: Session): SessionEnd | undefined {
  switch (snapshot.type) {
    case 'running':
      return undefined
    case 'absent':
      // It was running, and now it has left no trace: somebody removed its files.
      return session.state.type === 'starting' ? undefined : { type: 'lost', reason: 'its files are gone' }
    case 'exited':
      return { type: 'exited', code: snapshot.code }
    case 'signalled':
      return { type: 'signalled', signal: snapshot.signal }
    case 'lost':
      return { type: 'lost', reason: snapshot.reason }
    default:
      return assertNever(snapshot)
  }
}

/** The spools of a program that printed more than they hold. */
export async function cappedSpools(
  host: Pick<SessionHost, 'truncated'>,
  hostId: HostId,
): Promise<ReadonlySet<Spool>> {
  const [out, err] = await Promise.all([host.truncated(hostId, 'out'), host.truncated(hostId, 'err')])
  return new Set([...(out ? (['out'] as const) : []), ...(err ? (['err'] as const) : [])])
}
