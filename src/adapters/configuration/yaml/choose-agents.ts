import type { AgentSpec, ModelSource } from '../../../domain/agent/agent-spec.ts'
import { MODEL_ROLES, ROLE_FOR } from '../../../domain/agent/built-in-roles.ts'
import type { RoleBinding } from '../../../domain/agent/role-binding.ts'
import type { ConfigurationFailure } from '../../../domain/job/start-failure.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { withoutUndefined } from '../../../domain/without-undefined.ts'
import type { Configuration } from '../../../ports/configuration-source.ts'
import type { ConfigurationFile } from './configuration-file.ts'
import { ENVIRONMENT, type EnvironmentSettings } from './environment-settings.ts'

type Known = {
  readonly agents: readonly AgentSpec[]
  readonly models: ReadonlyMap<string, ModelSource>
}

/** The agents or the model for a role, first choice first, and where they are configured. */
type Choice = {
  readonly role: string
  readonly kind: 'agent' | 'model'
  readonly names: readonly string[]
  readonly place: { readonly file: string; readonly field: string; readonly line?: number }
}

type Chosen = Pick<Configuration, 'agents' | 'roles'>

/**
 * Binds each role to the agents of the last file or variable that sets it. Every agent and model named for a role must
 * be configured. A model that has a role becomes an agent, listed after the configured ones.
 */
export function chooseAgents(
  files: readonly ConfigurationFile[],
  settings: EnvironmentSettings,
  known: Known,
): Result<Chosen, ConfigurationFailure> {
  const all = [...files.flatMap(choicesInFile), ...choicesInEnvironment(settings)]
  const choices = all.map((choice) => resolveModelAgent(choice, known))
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
  const inFiles = files.flatMap(({ fields }) => Object.keys(fields.roles))
  const bindings = [...new Set([...inFiles, ...winners.keys()])].map((role): [string, RoleBinding] => {
    const last = <Field extends 'models' | 'maxParallel'>(field: Field) =>
      files.findLast(({ fields }) => fields.roles[role]?.[field] !== undefined)?.fields.roles[role]?.[field]
    const { kind, names = [] } = winners.get(role) ?? {}
    const agents = kind === 'model' ? names.map(agentNameOf) : names
    return [role, withoutUndefined({ agents, models: last('models'), maxParallel: last('maxParallel') })]
  })
  return Object.fromEntries(bindings)
}

type Named = {
  readonly agent?: string | undefined
  readonly agents?: readonly string[] | undefined
  readonly model?: string | undefined
}

/** The field `planner` is a short form of `roles.planner`. It comes last, so it wins if a file has both. */
function choicesInFile(file: ConfigurationFile): readonly Choice[] {
  const choicesIn = (role: string, binding: Named, path: readonly string[]): readonly Choice[] =>
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
      choicesIn(role, binding, ['roles', role]),
    ),
    ...choicesIn(ROLE_FOR.discovery, file.fields.planner ?? {}, ['planner']),
  ]
}

function choicesInEnvironment({ agents }: EnvironmentSettings): readonly Choice[] {
  return agents.map(({ role, agent, variable }) => ({
    role,
    kind: 'agent',
    names: [agent],
    place: { file: ENVIRONMENT, field: variable },
  }))
}

/** A choice that names a model by its agent name, such as `model-default`, becomes a choice of that model. */
function resolveModelAgent(choice: Choice, { agents, models }: Known): Choice {
  const [name = '', ...others] = choice.names
  const model = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined
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
    const unknown = names.find((name) => !isAgent(name))
    return unknown === undefined ? undefined : invalid(`names the agent "${unknown}", which isn't configured`)
  }
  const [name = ''] = names
  if (role === ROLE_FOR.task) {
    return invalid(`names a model, but a model can't change files: a ${role} needs an agent`)
  }
  if (!models.has(name)) return invalid(`names the model "${name}", which isn't configured`)
  if (!isAgent(agentNameOf(name))) return undefined
  return invalid(`uses the agent name "${agentNameOf(name)}", but another agent already has that name`)
}

const PREFIX = 'model-'

/** The name of the agent that stands for a model. */
function agentNameOf(model: string): string {
  return `${PREFIX}${model}`
}

function modelAgent(name: string, modelSource: ModelSource): AgentSpec {
  return {
    name: agentNameOf(name),
    provider: 'model',
    model: modelSource.model,
    modelSource,
    roles: MODEL_ROLES,
    env: [],
  }
}
