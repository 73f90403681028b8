import type { WireRunResult } from '../../contract/run-summary.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { RunResult } from '../../engine/queries/run-result.ts'
import { instantsToWire } from './instants-to-wire.ts'
import { artifactToWire, decisionToWire, findingToWire } from './run-result-to-wire.ts'
import { degradationToWire, endOf } from './run-to-wire.ts'

export function runSummaryToWire(result: RunResult): WireRunResult {
  const { run, degradation, landing, artifacts, findings, decisions, errors, ...rest } = result
  const { id, jobId, taskId, playbook, goal, inputs, state, createdAt, endedAt } = run
  return {
    ...{ id, jobId, taskId, playbook: playbook.name, goal, inputs, status: state.type },
    ...endOf(state),
    ...rest,
    startedAt: createdAt.toISOString(),
    ...instantsToWire({ endedAt }),
    artifacts: artifacts.map(artifactToWire),
    findings: findings.map(findingToWire),
    decisions: decisions.map(decisionToWire),
    errors: errors.map((error) => ({ ...error })),
    ...(degradation === undefined ? {} : { degradation: degradationToWire(degradation) }),
    ...(landing === undefined ? {} : { landing: landingOf(landing) }),
  }
}

function landingOf({ id, branch, state }: Landing): NonNullable<WireRunResult['landing']> {
  const { commit, tree } = state.type === 'landed' ? state : {}
  const reason = state.type === 'rejected' ? state.reason : conflictOf(state)
  return { id, status: state.type, branch, ...withoutUndefined({ commit, tree, reason }) }
}

function conflictOf(state: Landing['state']): string | undefined {
  return state.type === 'conflicted' ? `conflicts in ${state.paths.join(', ')}` : undefined
}
