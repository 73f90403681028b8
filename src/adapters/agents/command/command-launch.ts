import type { Result } from '../../../domain/result.ts'
import type { LaunchFailure, LaunchPlan, LaunchRequest } from '../../../ports/agent-provider.ts'
import { planOwnCommand } from '../shared/installed-program.ts'

export function planCommandLaunch(request: LaunchRequest): Promise<Result<LaunchPlan, LaunchFailure>> {
  return planOwnCommand(request, { example: '["node", "agent.mjs"]' })
}
