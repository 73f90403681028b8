import type { AgentSpec } from '../agent/agent-spec.ts'
import type { AttemptPurpose } from '../attempt/attempt-purpose.ts'
import type { JobPlan } from './job.ts'

/** The agent that a plan gives each kind of attempt to; undefined if the plan has none. */
export function agentFor(plan: JobPlan, purpose: AttemptPurpose['type']): AgentSpec | undefined {
  const names = { discovery: plan.planner, task: plan.worker, review: plan.reviewer }
  return plan.agents.find(({ name }) => name === names[purpose])
}
