import type { WireRun, WireStoppedRun } from '../../contract/run.ts'
import { type Degradation, describeDegradation } from '../../domain/run/degradation.ts'
import type { RunOrigin, RunState } from '../../domain/run/run.ts'
import { outcomeOf, type Visit } from '../../domain/run/visit.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { RunView } from '../../engine/queries/runs.ts'
import { instantsToWire } from './instants-to-wire.ts'

export function runToWire(view: RunView): WireRun {
  const { run, visits, progress, documents, errors, next, degradation, children } = view
  const { id, jobId, taskId, parentId, playbook, inputs, baseCommit, counters, state, recoveries } = run
  return {
    ...{ id, jobId, taskId, playbook: playbook.name, hash: playbook.hash, inputs, baseCommit, counters },
    ...withoutUndefined({ parentId }),
    ...(run.origin === undefined ? {} : { origin: originOf(run.origin) }),
    status: state.type,
    ...endOf(state),
    progress,
    recoveries,
    visits: visits.map(visitToWire),
    errors: errors.map((error) => ({ ...error })),
    next,
    ...(degradation === undefined ? {} : { degradation: degradationToWire(degradation) }),
    documents,
    ...(children.length === 0 ? {} : { children: children.map(runToWire) }),
    createdAt: run.createdAt.toISOString(),
    ...instantsToWire({ endedAt: run.endedAt }),
  }
}

type StoppedView = Pick<WireStoppedRun, 'ended' | 'programs'> & { readonly view: RunView }

export function stoppedRunToWire({ view, ended, programs }: StoppedView): WireStoppedRun {
  return { run: runToWire(view), ended, programs }
}

function originOf({ runId, ordinal }: RunOrigin): WireRun['origin'] {
  return { runId, ordinal }
}

export function degradationToWire(degradation: Degradation): NonNullable<WireRun['degradation']> {
  const { level, lostRoles, skippedStages } = degradation
  return { level, lostRoles, skippedStages, notes: describeDegradation(degradation) }
}

export function endOf(state: RunState): Pick<WireRun, 'end' | 'reason'> {
  if (state.type === 'running') return {}
  if (state.type === 'cancelled') return { reason: state.reason }
  return withoutUndefined({ end: state.end, reason: state.reason })
}

function visitToWire(visit: Visit): WireRun['visits'][number] {
  const { id, ordinal, stage, round, branch, state, tries, attemptId, problem, commit, answer } = visit
  return {
    ...{ id, ordinal, stage, round, branch, status: state.type, tries, answer },
    ...withoutUndefined({
      outcome: outcomeOf(visit),
      takenFrom: visit.taken?.visitId,
      attemptId,
      problem,
      commit,
    }),
    createdAt: visit.createdAt.toISOString(),
    ...instantsToWire({ endedAt: visit.endedAt }),
  }
}
