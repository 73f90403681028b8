import type { WireRunComparison } from '../../contract/run-comparison.ts'
import { verdictOf } from '../../domain/run/verdict-of.ts'
import { outcomeOf, type Visit } from '../../domain/run/visit.ts'
import { attemptIdOf } from '../../domain/session/session-purpose.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { ComparedRun, RunComparison } from '../../engine/queries/diff/compare-runs.ts'
import { endOf } from './run-to-wire.ts'

export function runComparisonToWire({ a, b, visits, ...rest }: RunComparison): WireRunComparison {
  return {
    a: runToWire(a),
    b: runToWire(b),
    visits: visits.map(({ relation, ...pair }) => ({
      relation,
      ...(pair.a === undefined ? {} : { a: visitToWire(a, pair.a) }),
      ...(pair.b === undefined ? {} : { b: visitToWire(b, pair.b) }),
    })),
    ...rest,
  }
}

function runToWire({ view: { run }, result, commit }: ComparedRun): WireRunComparison['a'] {
  const { id, jobId, playbook, goal, state } = run
  const { summary, durationMs, activeMs, cost } = result
  return {
    ...{ id, jobId, playbook: playbook.name, hash: playbook.hash, goal, status: state.type },
    ...endOf(state),
    ...{ summary, durationMs, activeMs, cost },
    ...withoutUndefined({ commit }),
  }
}

type WireVisit = NonNullable<WireRunComparison['visits'][number]['a']>

function visitToWire({ effort }: ComparedRun, visit: Visit): WireVisit {
  const { id, stage, round, branch, state, taken, createdAt, endedAt } = visit
  const tries = effort.attempts.filter(({ purpose }) => purpose.type === 'visit' && purpose.visitId === id)
  const made = new Set(tries.map((attempt) => attempt.id))
  const sessions = effort.sessions.filter((session) => {
    const attemptId = attemptIdOf(session)
    return attemptId !== undefined && made.has(attemptId)
  })
  const outcome = outcomeOf(visit)
  const isTaken = taken !== undefined
  return {
    ...{ id, stage, round, branch, status: state.type },
    durationMs: isTaken || endedAt === undefined ? 0 : Math.max(0, endedAt.getTime() - createdAt.getTime()),
    costUsd: sessions.reduce((sum, session) => sum + session.conversation.usage.costUsd, 0),
    ...withoutUndefined({
      outcome,
      agent: sessions.at(-1)?.agentName,
      takenFrom: taken?.visitId,
      verdict: verdictOf(outcome, visit.answer)?.summary,
    }),
  }
}
