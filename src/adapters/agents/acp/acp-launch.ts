import { failure, type Result } from '../../../domain/result.ts'
import type { LaunchFailure, LaunchPlan, LaunchRequest } from '../../../ports/agent-provider.ts'
import { planOwnCommand } from '../shared/installed-program.ts'

/** Plans the agent's own command, which must speak the protocol over its standard input and output. */
export async function planAcpLaunch(request: LaunchRequest): Promise<Result<LaunchPlan, LaunchFailure>> {
  const environment = { PWD: request.treeDirectory }
  const planned = await planOwnCommand(request, { example: '["my-agent", "--acp"]', environment })
  if (!planned.ok || request.mode === 'headless') return planned
  return failure({ type: 'mode-unsupported', mode: request.mode, provider: 'acp' })
}
