import type { AgentSpec, ModelSource } from '../../../domain/agent/agent-spec.ts'
import type { ConfigurationFile } from './configuration-file.ts'

const PREFIX = 'model-'

/** All models of all files; one that a later file names again is the later file's, whole. */
export function mergeModels(files: readonly ConfigurationFile[]): ReadonlyMap<string, ModelSource> {
  const models = new Map<string, ModelSource>()
  for (const file of files) {
    for (const [name, { baseUrl, priceUsd, ...fields }] of Object.entries(file.fields.models)) {
      models.set(name, {
        ...fields,
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(priceUsd === undefined ? {} : { priceUsd }),
      })
    }
  }
  return models
}

/** The name of the agent that a model is when a role is bound to it. */
export function agentNameOf(model: string): string {
  return `${PREFIX}${model}`
}

/** The model that such a name stands for, configured or not. */
export function modelNamedBy(agent: string): string | undefined {
  return agent.startsWith(PREFIX) ? agent.slice(PREFIX.length) : undefined
}

export function modelAgent(name: string, modelSource: ModelSource): AgentSpec {
  return {
    name: agentNameOf(name),
    provider: 'model',
    model: modelSource.model,
    modelSource,
    roles: ['planner', 'reviewer'],
    env: {},
  }
}
