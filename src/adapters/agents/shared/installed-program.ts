import { execa } from 'execa'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { Availability, LaunchFailure, LaunchPlan, LaunchRequest } from '../../../ports/agent-provider.ts'
import { findProgram } from '../../shared/find-program.ts'
import { findUnusableVariable, launchEnvironment } from './launch-environment.ts'

/** An agent program that people install themselves. */
export type InstalledProgram = {
  /** Looked up in the search path unless the agent's `command` names another. */
  readonly name: string
  /** One line: the command that installs it. */
  readonly install: string
}

const VERSION_PATIENCE_MS = 20_000

/** Asks the program for its version; a program that does not answer is as good as missing. */
export async function installedAvailability(program: InstalledProgram): Promise<Availability> {
  const searchPath = process.env['PATH'] ?? ''
  const found = await findProgram(program.name, '/', searchPath)
  if (found === undefined) return { type: 'missing', install: program.install }
  const asked = await execa(found, ['--version'], {
    timeout: VERSION_PATIENCE_MS,
    reject: false,
    stdin: 'ignore',
    maxBuffer: 64 * 1024,
  })
  const version = /\d+\.\d+[^\s)]*/.exec(asked.stdout)?.[0]
  if (asked.exitCode !== 0 || version === undefined) {
    return { type: 'missing', install: `${program.install} (${found} --version did not answer)` }
  }
  return { type: 'available', version }
}

/** The plan that starts the program with these arguments, in the session's environment with `extra` under it. */
export async function planInstalled(
  program: InstalledProgram,
  request: LaunchRequest,
  launch: {
    readonly arguments: readonly string[]
    readonly environment?: Readonly<Record<string, string>>
    readonly files?: Readonly<Record<string, string>>
  },
): Promise<Result<LaunchPlan, LaunchFailure>> {
  const [name = program.name, ...before] = request.agent.command ?? []
  const words = [name, ...before, ...launch.arguments]
  if (name === '' || words.some((word) => word.includes('\0'))) {
    return misconfigured('command', 'is empty or has a NUL character in it')
  }
  const environment = { ...launch.environment, ...launchEnvironment(request) }
  const unusable = findUnusableVariable(environment)
  if (unusable !== undefined) {
    return misconfigured('env', `has a variable that cannot be set: ${JSON.stringify(unusable)}`)
  }
  const { PATH: searchPath = '' } = environment
  const found = await findProgram(name, request.treeDirectory, searchPath)
  if (found === undefined) {
    return failure({ type: 'program-missing', program: name, install: program.install })
  }
  const files = launch.files === undefined ? {} : { files: launch.files }
  return success({ command: [found, ...before, ...launch.arguments], environment, ...files })
}

export function misconfigured(field: string, problem: string): Result<never, LaunchFailure> {
  return failure({ type: 'agent-misconfigured', field, problem })
}
