import type { DaemonStatus, WireStatus } from '../../contract/daemon-status.ts'
import type { StatusView } from '../../engine/queries/status.ts'
import { jobSummaryToWire } from './job-to-wire.ts'
import { sessionToWire } from './session-to-wire.ts'
import { waitingToWire } from './waiting-to-wire.ts'

export function statusToWire(daemon: DaemonStatus, { jobs, sessions, waiting }: StatusView): WireStatus {
  return {
    daemon,
    jobs: jobs.map(jobSummaryToWire),
    sessions: sessions.map(sessionToWire),
    waiting: waiting.map(waitingToWire),
  }
}
