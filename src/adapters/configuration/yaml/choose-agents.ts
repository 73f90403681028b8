import type { AgentSpec, ModelSource } from '../../../domain/agent/agent-spec.ts'
import type { RoleBinding } from '../../../domain/agent/role-binding.ts'
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

/** Who gets a role, first choice first, and where that was said. */
type Choice = {
  readonly role: string
  readonly kind: 'agent' | 'model'
  readonly names: readonly string[]
  readonly place: { readonly file: string; readonly field: string; readonly line?: number }
}

type Chosen = Pick<Configuration, 'agents' | 'roles'>

/**
 * Who may take each role, as last said. Whoever is named for a role must be configured. A model that has a role is
 * an agent from then on, after the others.
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
  const winners = new Map(choices.map((choice) => [choice.role, choice]))
  const models = new Set([...winners.values()].flatMap(({ kind, names }) => (kind === 'model' ? names : [])))
  const added = [...known.models].flatMap(([name, source]) =>
    models.has(name) ? [modelAgent(name, source)] : [],
  )
  return success({ agents: [...known.agents, ...added], roles: bindRoles(files, winners) })
}

function bindRoles(
  files: readonly ConfigurationFile[],
  winners: ReadonlyMap<string, Choice>,
): Chosen['roles'] {
  const said = files.flatMap(({ fields }) => Object.keys(fields.roles))
  const bindings = [...new Set([...said, ...winners.keys()])].map((role): [string, RoleBinding] => {
    const lastSaid = <Field extends 'models' | 'maxParallel'>(field: Field) =>
      files.findLast(({ fields }) => fields.roles[role]?.[field] !== undefined)?.fields.roles[role]?.[field]
    const { kind, names = [] } = winners.get(role) ?? {}
    const [models, maxParallel] = [lastSaid('models'), lastSaid('maxParallel')]
    return [
      role,
      {
        agents: kind === 'model' ? names.map(agentNameOf) : names,
        ...(models === undefined ? {} : { models }),
        ...(maxParallel === undefined ? {} : { maxParallel }),
      },
    ]
  })
  return Object.fromEntries(bindings)
}

type Named = {
  readonly agent?: string | undefined
  readonly agents?: readonly string[] | undefined
  readonly model?: string | undefined
}

/** `planner` comes after `roles`: it says the same of one role, more plainly. */
function choicesOfFile(file: ConfigurationFile): readonly Choice[] {
  const choicesOf = (role: string, binding: Named, path: readonly string[]): readonly Choice[] =>
    (['agent', 'agents', 'model'] as const).flatMap((field) => {
      const named = binding[field]
      if (named === undefined) return []
      const at = [...path, field]
      const place = { file: file.file, field: at.join('.'), line: file.lineOf(at) }
      const kind = field === 'model' ? 'model' : 'agent'
      return [{ role, kind, names: typeof named === 'string' ? [named] : named, place }]
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
    name === undefined ? [] : [{ role, kind: 'agent', names: [name], place: { file: ENVIRONMENT, field } }],
  )
}

/** A model can be named as the agent that it is when it has a role. */
function withModelsByAgentName(choice: Choice, { agents, models }: Known): Choice {
  const [name = '', ...others] = choice.names
  const model = modelNamedBy(name)
  const isAgent = choice.kind === 'model' || agents.some((agent) => agent.name === name)
  if (isAgent || model === undefined || !models.has(model) || others.length > 0) return choice
  return { ...choice, kind: 'model', names: [model] }
}

function findProblem(choice: Choice, { agents, models }: Known): ConfigurationFailure | undefined {
  const { kind, names, role, place } = choice
  const invalid = (problem: string): ConfigurationFailure => ({
    type: 'configuration-invalid',
    ...place,
    problem,
  })
  const isAgent = (wanted: string): boolean => agents.some((agent) => agent.name === wanted)
  if (kind === 'agent') {
    const stranger = names.find((name) => !isAgent(name))
    if (stranger === undefined) return undefined
    return invalid(`names the agent "${stranger}", which is not among the configured agents`)
  }
  const [name = ''] = names
  if (!models.has(name)) return invalid(`names the model "${name}", which is not among the configured models`)
  if (role === 'worker') return invalid(`names a model: a model plans and reviews, and work needs an agent`)
  if (!isAgent(agentNameOf(name))) return undefined
  return invalid(`is known as the agent "${agentNameOf(name)}", and there is another agent of that name`)
}
