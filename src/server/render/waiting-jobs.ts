import type { WireWaiting } from '../../contract/daemon-status.ts'
import type { Job } from '../../domain/job/job.ts'

/** The jobs that go on only when a person says so. */
export function waitingJobs(jobs: readonly Job[]): WireWaiting[] {
  return jobs.flatMap(({ id, state }) => {
    if (state.type === 'paused') return [{ jobId: id, why: 'paused', next: `muster resume ${id}` }]
    if (state.type === 'pending')
      return [{ jobId: id, why: 'not started', next: `POST /api/orchestrator/${id}/start` }]
    return []
  })
}
