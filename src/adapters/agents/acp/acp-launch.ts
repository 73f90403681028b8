import { failure, type Result } from '../../../domain/result.ts'
import type { LaunchFailure, LaunchPlan, LaunchRequest } from '../../../ports/agent-provider.ts'
import { misconfigured, planInstalled } from '../shared/installed-program.ts'

/** The agent's own command, which has to speak the protocol over its standard input and output. */
export function planAcpLaunch(request: LaunchRequest): Promise<Result<LaunchPlan, LaunchFailure>> {
  const [program] = request.agent.command ?? []
  if (program === undefined || program === '') {
    const problem = 'names no program: give a list such as ["my-agent", "--acp"]'
    return Promise.resolve(misconfigured('command', problem))
  }
  if (request.mode === 'interactive') {
    return Promise.resolve(failure({ type: 'mode-unsupported', mode: request.mode, provider: 'acp' }))
  }
  const install = `install ${program}, or give its full path as the command of agent ${request.agent.name}`
  const environment = { PWD: request.treeDirectory }
  return planInstalled({ name: program, install }, request, { arguments: [], environment })
}
