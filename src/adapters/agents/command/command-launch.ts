import { failure, type Result, success } from '../../../domain/result.ts'
import type { LaunchFailure, LaunchPlan, LaunchRequest } from '../../../ports/agent-provider.ts'
import { findProgram } from '../../shared/find-program.ts'
import { findUnusableVariable, launchEnvironment } from '../shared/launch-environment.ts'

/** The agent's own command, in the attempt's environment, with its program found. */
export async function planCommandLaunch(request: LaunchRequest): Promise<Result<LaunchPlan, LaunchFailure>> {
  const [program, ...rest] = request.agent.command ?? []
  if (program === undefined || program === '') {
    return misconfigured('command', 'names no program: give a list such as ["node", "agent.mjs"]')
  }
  if ([program, ...rest].some((argument) => argument.includes('\0'))) {
    return misconfigured('command', 'has a NUL character in it')
  }
  const environment = launchEnvironment(request)
  const unusable = findUnusableVariable(environment)
  if (unusable !== undefined) {
    return misconfigured('env', `has a variable that cannot be set: ${JSON.stringify(unusable)}`)
  }
  const { PATH: searchPath = '' } = environment
  const found = await findProgram(program, request.treeDirectory, searchPath)
  if (found === undefined) {
    const install = `install ${program}, or give its full path as the command of agent ${request.agent.name}`
    return failure({ type: 'program-missing', program, install })
  }
  return success({ command: [found, ...rest], environment })
}

function misconfigured(field: string, problem: string): Result<never, LaunchFailure> {
  return failure({ type: 'agent-misconfigured', field, problem })
}
