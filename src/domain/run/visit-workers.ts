import type { AgentSpec } from '../agent/agent-spec.ts'
import type { Attempt } from '../attempt/attempt.ts'
import { attemptRulesOf } from '../attempt/attempt-purpose.ts'
import type { AttemptId, VisitId } from '../id.ts'
import { hasFormat } from '../playbook/has-format.ts'
import type { Playbook } from '../playbook/playbook.ts'
import type { RoleStage } from '../playbook/stage.ts'
import type { Visit } from './visit.ts'

/** The agents that did each visit: the one whose result was accepted, and those that handed over to it. */
export type VisitWorkers = ReadonlyMap<VisitId, readonly AgentSpec[]>

type Tried = Pick<Attempt, 'id' | 'agent' | 'handoffs'>

/** `agents`: those of the job's plan. Visits whose attempts are gone are left out. */
export function workersOf(
  visits: readonly Pick<Visit, 'id' | 'attemptId' | 'taken'>[],
  attempts: readonly Tried[],
  agents: readonly AgentSpec[],
): VisitWorkers {
  const workers = new Map<VisitId, readonly AgentSpec[]>()
  for (const visit of visits) {
    const attempt = attempts.find(({ id }) => id === acceptedIn(visit))
    if (attempt === undefined) continue
    const names = attempt.handoffs.map(({ fromAgent }) => fromAgent)
    const earlier = agents.filter(({ name }) => name !== attempt.agent.name && names.includes(name))
    workers.set(visit.id, [attempt.agent, ...earlier])
  }
  return workers
}

/** The attempt whose result a visit has, in this run or in the one that it was taken from. */
export function acceptedIn({ attemptId, taken }: Pick<Visit, 'attemptId' | 'taken'>): AttemptId | undefined {
  return attemptId ?? taken?.attemptId
}

type Judging = {
  readonly playbook: Pick<Playbook, 'roles' | 'stages'>
  readonly visits: readonly Visit[]
  /** All attempts at the task, in any of its runs, and those of visits that were taken from other runs. */
  readonly attempts: readonly Attempt[]
}

/** Whether a stage judges the work of others: by a review, or by a choice among several. */
export function isJudgement({ output }: Pick<RoleStage, 'output'>): boolean {
  return hasFormat(output, 'review') || hasFormat(output, 'choice')
}

/** The names of the agents that made what a stage judges, or that worked in the role that its role should be unlike. */
export function makersFor(stage: RoleStage, { playbook, visits, attempts }: Judging): readonly string[] {
  if (!isJudgement(stage)) return []
  const unlike = playbook.roles[stage.role]?.unlike
  const compared = visits.filter((visit) => {
    const other = playbook.stages[visit.stage]
    return unlike !== undefined && other?.type === 'role' && other.role === unlike
  })
  const made = attempts.filter(
    (attempt) =>
      isAccepted(attempt) &&
      (attemptRulesOf(attempt).makesWork || compared.some((visit) => acceptedIn(visit) === attempt.id)),
  )
  const names = made.flatMap(({ agent, handoffs }) => [
    agent.name,
    ...handoffs.map(({ fromAgent }) => fromAgent),
  ])
  return [...new Set(names)]
}

function isAccepted({ state }: Attempt): boolean {
  return state.type === 'settled' && state.outcome.type === 'accepted'
}
