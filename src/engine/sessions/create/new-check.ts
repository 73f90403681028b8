import type { Baseline } from '../../../domain/baseline/baseline.ts'
import type { JobId } from '../../../domain/id.ts'
import type { Job } from '../../../domain/job/job.ts'
import type { Candidate } from '../../../domain/landing/candidate.ts'
import type { Visit } from '../../../domain/run/visit.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { PurposeOf } from '../../../domain/session/session-purpose.ts'
import type { Records } from '../../../ports/store/store.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { newSession } from './new-session.ts'

export type NewCheck = { readonly session: Session; readonly insert: (records: Records) => Promise<void> }

/** What is checked. The check of a base belongs to no job: cancelling one job must not stop it for another. */
export type Checked =
  | (Pick<PurposeOf<'check'>, 'type' | 'candidateId'> & { readonly jobId: JobId })
  | Pick<PurposeOf<'baseline'>, 'type' | 'baselineId' | 'projectId'>
  | (Pick<PurposeOf<'visit-check'>, 'type' | 'visitId'> & { readonly jobId: JobId })

export function ofCandidate({ id: candidateId, jobId }: Pick<Candidate, 'id' | 'jobId'>): Checked {
  return { type: 'check', candidateId, jobId }
}

export function ofBaseline({ id: baselineId, projectId }: Pick<Baseline, 'id' | 'projectId'>): Checked {
  return { type: 'baseline', baselineId, projectId }
}

export function ofVisit({ id: visitId }: Pick<Visit, 'id'>, { id: jobId }: Pick<Job, 'id'>): Checked {
  return { type: 'visit-check', visitId, jobId }
}

export type CheckRequest = {
  readonly index: number
  readonly command: string
  /** Whether it runs in a new tree; otherwise it uses the tree of the check before. */
  readonly isFresh: boolean
  /** How long to wait before it starts. */
  readonly pauseMs?: number
}

/** A check is a session, as an agent is: it outlives the daemon, is contained in the same way, and has a deadline. */
export function newCheck(
  needs: Pick<EngineNeeds, 'clock' | 'ids' | 'wakeAt'>,
  checked: Checked,
  { pauseMs = 0, ...run }: CheckRequest,
): NewCheck {
  const { command, index } = run
  const session = newSession(needs, {
    id: needs.ids.next('session'),
    ...ownerOf(checked, run),
    agent: { name: command, provider: 'check' },
    role: 'check',
  })
  const start = { type: 'session-start', sessionId: session.id } as const
  return {
    session,
    insert: async (records) => {
      await records.sessions.insert(session, {
        audit: { actor: 'engine', action: 'check-create', subject: session.id, detail: { index } },
        follow: pauseMs === 0 ? [start] : [],
      })
      // If this process dies, the reconciler sends it: the session's row says that it must start.
      if (pauseMs > 0) needs.wakeAt(new Date(session.createdAt.getTime() + pauseMs), start)
    },
  }
}

function ownerOf(checked: Checked, run: Omit<CheckRequest, 'pauseMs'>) {
  if (checked.type === 'baseline') return { purpose: { ...checked, ...run } }
  const { jobId, ...purpose } = checked
  return { jobId, purpose: { ...purpose, ...run } }
}
