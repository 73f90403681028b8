import { failure, type Result, success } from '../../../domain/result.ts'
import type { Configuration, ConfigurationFailure } from '../../../ports/configuration-source.ts'
import type { ConfigurationFile } from './configuration-file.ts'
import { ENVIRONMENT, type EnvironmentSettings } from './environment-settings.ts'

type Choice = {
  readonly role: string
  readonly agent: string
  readonly file: string
  readonly field: string
  readonly line?: number
}

/** Which agents plan and work, as last said. Every agent that is named for a role must be configured. */
export function chooseAgents(
  files: readonly ConfigurationFile[],
  settings: EnvironmentSettings,
  agents: ReadonlySet<string>,
): Result<Pick<Configuration, 'planner' | 'worker'>, ConfigurationFailure> {
  const choices = [...files.flatMap(choicesOfFile), ...choicesOfEnvironment(settings)]
  const stray = choices.find((choice) => !agents.has(choice.agent))
  if (stray !== undefined) {
    const { role: _, agent, ...place } = stray
    const problem = `names the agent "${agent}", which is not among the configured agents`
    return failure({ type: 'configuration-invalid', ...place, problem })
  }
  const planner = choices.findLast((choice) => choice.role === 'planner')?.agent
  const worker = choices.findLast((choice) => choice.role === 'worker')?.agent
  return success({
    ...(planner === undefined ? {} : { planner }),
    ...(worker === undefined ? {} : { worker }),
  })
}

/** `planner` comes after `roles`: it says the same of one role, more plainly. */
function choicesOfFile(file: ConfigurationFile): readonly Choice[] {
  const choice = (role: string, agent: string | undefined, path: readonly string[]): readonly Choice[] =>
    agent === undefined
      ? []
      : [{ role, agent, file: file.file, field: path.join('.'), line: file.lineOf(path) }]
  return [
    ...Object.entries(file.fields.roles).flatMap(([role, binding]) =>
      choice(role, binding.agent, ['roles', role, 'agent']),
    ),
    ...choice('planner', file.fields.planner?.agent, ['planner', 'agent']),
  ]
}

function choicesOfEnvironment(settings: EnvironmentSettings): readonly Choice[] {
  const choices = [
    { role: 'worker', agent: settings.worker, field: 'MUSTER_AGENT' },
    { role: 'planner', agent: settings.planner, field: 'MUSTER_PLANNER' },
  ]
  return choices.flatMap(({ role, agent, field }) =>
    agent === undefined ? [] : [{ role, agent, file: ENVIRONMENT, field }],
  )
}
