import { type AgentSpec, type ModelSource, ROLES } from '../../../domain/agent/agent-spec.ts'
import type { ConfigurationFailure } from '../../../domain/job/start-failure.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { Configuration } from '../../../ports/configuration-source.ts'
import type { ConfigurationFile } from './configuration-file.ts'
import { ENVIRONMENT, type EnvironmentSettings } from './environment-settings.ts'
import { agentNameOf, modelAgent, modelNamedBy } from './merge-models.ts'

type Known = {
  readonly agents: readonly AgentSpec[]
  readonly models: ReadonlyMap<string, ModelSource>
}

/** Who has a role, and where that was said. */
type Choice = {
  readonly role: string
  readonly kind: 'agent' | 'model'
  readonly name: string
  readonly place: { readonly file: string; readonly field: string; readonly line?: number }
}

type Chosen = Pick<Configuration, 'agents' | 'planner' | 'worker' | 'reviewer'>

/**
 * Which agents plan, work and review, as last said. Whoever is named for a role must be configured. A model that
 * has a role is an agent from then on, after the others.
 */
export function chooseAgents(
  files: readonly ConfigurationFile[],
  settings: EnvironmentSettings,
  known: Known,
): Result<Chosen, ConfigurationFailure> {
  const said = [...files.flatMap(choicesOfFile), ...choicesOfEnvironment(settings)]
  const choices = said.map((choice) => withModelsByAgentName(choice, known))
  const problem = choices.map((choice) => findProblem(choice, known)).find((found) => found !== undefined)
  if (problem !== undefined) return failure(problem)
  const winners = ROLES.flatMap((role) => choices.findLast((choice) => choice.role === role) ?? [])
  const models = new Set(winners.flatMap(({ kind, name }) => (kind === 'model' ? [name] : [])))
  const added = [...known.models].flatMap(([name, source]) =>
    models.has(name) ? [modelAgent(name, source)] : [],
  )
  return success({
    agents: [...known.agents, ...added],
    ...Object.fromEntries(
      winners.map(({ role, kind, name }) => [role, kind === 'model' ? agentNameOf(name) : name]),
    ),
  })
}

/** `planner` comes after `roles`: it says the same of one role, more plainly. */
function choicesOfFile(file: ConfigurationFile): readonly Choice[] {
  const choicesOf = (
    role: string,
    binding: { readonly agent?: string | undefined; readonly model?: string | undefined },
    path: readonly string[],
  ): readonly Choice[] =>
    (['agent', 'model'] as const).flatMap((kind) => {
      const name = binding[kind]
      const at = [...path, kind]
      const place = { file: file.file, field: at.join('.'), line: file.lineOf(at) }
      return name === undefined ? [] : [{ role, kind, name, place }]
    })
  return [
    ...Object.entries(file.fields.roles).flatMap(([role, binding]) =>
      choicesOf(role, binding, ['roles', role]),
    ),
    ...choicesOf('planner', file.fields.planner ?? {}, ['planner']),
  ]
}

function choicesOfEnvironment(settings: EnvironmentSettings): readonly Choice[] {
  const choices = [
    { role: 'worker', name: settings.worker, field: 'MUSTER_AGENT' },
    { role: 'planner', name: settings.planner, field: 'MUSTER_PLANNER' },
    { role: 'reviewer', name: settings.reviewer, field: 'MUSTER_REVIEWER' },
  ]
  return choices.flatMap(({ role, name, field }) =>
    name === undefined ? [] : [{ role, kind: 'agent', name, place: { file: ENVIRONMENT, field } }],
  )
}

/** A model can be named as the agent that it is when it has a role. */
function withModelsByAgentName(choice: Choice, { agents, models }: Known): Choice {
  const model = modelNamedBy(choice.name)
  const isAgent = choice.kind === 'model' || agents.some((agent) => agent.name === choice.name)
  if (isAgent || model === undefined || !models.has(model)) return choice
  return { ...choice, kind: 'model', name: model }
}

function findProblem(choice: Choice, { agents, models }: Known): ConfigurationFailure | undefined {
  const { kind, name, role, place } = choice
  const invalid = (problem: string): ConfigurationFailure => ({
    type: 'configuration-invalid',
    ...place,
    problem,
  })
  const isAgent = (wanted: string): boolean => agents.some((agent) => agent.name === wanted)
  if (kind === 'agent') {
    if (isAgent(name)) return undefined
    return invalid(`names the agent "${name}", which is not among the configured agents`)
  }
  if (!models.has(name)) return invalid(`names the model "${name}", which is not among the configured models`)
  if (role === 'worker') return invalid(`names a model: a model plans and reviews, and work needs an agent`)
  if (!isAgent(agentNameOf(name))) return undefined
  return invalid(`is known as the agent "${agentNameOf(name)}", and there is another agent of that name`)
}
