import { assertNever } from '../../domain/assert-never.ts'
import type { VisitId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Stage } from '../../domain/playbook/stage.ts'
import type { Visit } from '../../domain/run/visit.ts'
import type { Records } from '../../ports/store/store.ts'
import type { LoadedRun } from '../loaded-runs/load-run.ts'
import { askGate } from './ask-gate.ts'
import { beginAttempt } from './begin-attempt.ts'
import { beginChecks } from './begin-checks.ts'
import { beginChild } from './begin-child.ts'
import type { RunNeeds } from './run-needs.ts'

/**
 * Begins the visits of a run that wait, as many at once as its playbook allows. Returns all visits as they are then: some
 * may have ended already.
 */
export async function beginVisits(
  needs: RunNeeds,
  records: Records,
  job: Job,
  loaded: LoadedRun,
): Promise<readonly Visit[]> {
  const { visits, pinned } = loaded
  const now = needs.clock.now()
  const waiting = visits.filter(({ state }) => state.type === 'waiting')
  if (waiting.length === 0 || job.state.type !== 'running' || job.state.pausing) return visits
  const busy = visits.filter(({ state }) => state.type === 'working' || state.type === 'checking').length
  const due = waiting.filter((visit) => isDue(visit, now))
  const begun = new Map<VisitId, Visit>()
  for (const visit of due.slice(0, Math.max(0, pinned.playbook.limits.parallel - busy))) {
    const stage = pinned.playbook.stages[visit.stage]
    if (stage === undefined) throw new Error(`run ${visit.runId} has a visit of no stage: ${visit.stage}`)
    begun.set(visit.id, await begin(needs, records, job, loaded, visit, stage))
  }
  return visits.map((visit) => begun.get(visit.id) ?? visit)
}

function isDue({ state }: Visit, now: Date): boolean {
  return state.type !== 'waiting' || state.until === undefined || new Date(state.until) <= now
}

async function begin(
  needs: RunNeeds,
  records: Records,
  job: Job,
  loaded: LoadedRun,
  visit: Visit,
  stage: Stage,
): Promise<Visit> {
  switch (stage.type) {
    case 'role':
      return await beginAttempt(needs, records, job, loaded, visit, stage)
    case 'checks':
      return await beginChecks(needs, records, job, loaded, visit)
    case 'gate':
      return await askGate(needs, records, job, loaded, visit, stage)
    case 'playbook':
      return await beginChild(needs, records, job, loaded, visit, stage)
    case 'choose':
      throw new Error(`visit ${visit.id} of a choice should have ended at once`)
    default:
      return assertNever(stage)
  }
}
