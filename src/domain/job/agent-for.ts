import type { AgentSpec } from '../agent/agent-spec.ts'
import type { ROLE_FOR } from '../agent/built-in-roles.ts'
import type { JobPlan } from './job.ts'

/** The agent that a plan gives each kind of a job's own attempts to; undefined if the plan has none. */
export function agentFor(plan: JobPlan, purpose: keyof typeof ROLE_FOR): AgentSpec | undefined {
  const names = { discovery: plan.planner, task: plan.worker, review: plan.reviewer }
  return plan.agents.find(({ name }) => name === names[purpose])
}
