import { execa } from 'execa'
import { failure, type Result, success } from '../../../domain/result.ts'
import type {
  Availability,
  LaunchFailure,
  LaunchPlan,
  LaunchRequest,
  ReadinessRequest,
} from '../../../ports/agent-provider.ts'
import { findProgram } from '../../shared/find-program.ts'
import { launchEnvironment, misconfigured } from './launch-environment.ts'
import { findOutdated, versionIn } from './program-version.ts'

/** An agent program that people install themselves. */
export type InstalledProgram = {
  /** Found in the search path, unless the agent's `command` names another program. */
  readonly name: string
  /** The command that installs the program, in one line. */
  readonly install: string
  /** Its name in a sentence. */
  readonly title: string
  /** How to log in, as an instruction without a full stop. */
  readonly login: string
  /** Muster is known not to work with earlier versions. */
  readonly oldest?: string
}

const VERSION_PATIENCE_MS = 20_000

/** Asks the program for its version. A program that doesn't answer counts as missing. */
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
  const version = versionIn(asked.stdout)
  if (asked.exitCode !== 0 || version === undefined) {
    return { type: 'missing', install: `${program.install} (${found} --version reported no version)` }
  }
  const unready = findOutdated(program, version)
  return unready === undefined ? { type: 'available', version } : { type: 'available', version, unready }
}

/** Plans a start of the program with these arguments. `environment` has lower precedence than the session's. */
export async function planInstalled(
  program: Pick<InstalledProgram, 'name' | 'install'>,
  request: ReadinessRequest,
  launch: {
    readonly arguments: readonly string[]
    readonly environment?: Readonly<Record<string, string>>
    readonly files?: Readonly<Record<string, string>>
  },
): Promise<Result<LaunchPlan, LaunchFailure>> {
  const [name = program.name, ...before] = request.agent.command ?? []
  const words = [name, ...before, ...launch.arguments]
  if (name === '' || words.some((word) => word.includes('\0'))) {
    return misconfigured('command', 'is empty or contains a NUL character')
  }
  const environment = launchEnvironment(request, launch.environment)
  if (!environment.ok) return environment
  const { PATH: searchPath = '' } = environment.value
  const found = await findProgram(name, request.treeDirectory, searchPath)
  if (found === undefined) {
    return failure({ type: 'program-missing', program: name, install: program.install })
  }
  const files = launch.files === undefined ? {} : { files: launch.files }
  return success({ command: [found, ...words.slice(1)], environment: environment.value, ...files })
}

/** Plans the agent's `command` as it is configured. */
export async function planOwnCommand(
  request: LaunchRequest,
  { example, environment = {} }: OwnCommand,
): Promise<Result<LaunchPlan, LaunchFailure>> {
  const [program] = request.agent.command ?? []
  if (program === undefined || program === '') {
    return misconfigured('command', `names no program: set it to a list such as ${example}`)
  }
  const install = `install ${program}, or give its full path as the command of agent ${request.agent.name}`
  return planInstalled({ name: program, install }, request, { arguments: [], environment })
}

type OwnCommand = {
  readonly example: string
  readonly environment?: Readonly<Record<string, string>>
}
