import path from 'node:path'
import type { AgentSpec } from '../../../domain/agent/agent-spec.ts'
import type { ConfigurationFile } from './configuration-file.ts'
import type { ConfigurationFields } from './configuration-schema.ts'

/** All agents of all files; one that a later file names again is the later file's, whole. */
export function mergeAgents(
  files: readonly ConfigurationFile[],
  repositoryPath: string,
): readonly AgentSpec[] {
  const agents = new Map<string, AgentSpec>()
  for (const file of files) {
    for (const [name, fields] of Object.entries(file.fields.agents)) {
      agents.set(name, agentOf(name, fields, repositoryPath))
    }
  }
  return [...agents.values()]
}

function agentOf(
  name: string,
  fields: ConfigurationFields['agents'][string],
  repositoryPath: string,
): AgentSpec {
  const { provider, roles, env, model, maxParallel, command, script, permissions, fallback } = fields
  return {
    name,
    provider,
    roles,
    env,
    ...(model === undefined ? {} : { model }),
    ...(maxParallel === undefined ? {} : { maxParallel }),
    ...(command === undefined ? {} : { command: rootedCommand(command, repositoryPath) }),
    ...(script === undefined ? {} : { script: path.resolve(repositoryPath, script) }),
    ...(permissions === undefined ? {} : { permissions }),
    ...(fallback === undefined ? {} : { fallback }),
  }
}

/** A program given by a relative path lies in the repository; one given by its name alone is looked up. */
function rootedCommand(command: readonly string[], repositoryPath: string): readonly string[] {
  const [program = '', ...rest] = command
  return [program.includes('/') ? path.resolve(repositoryPath, program) : program, ...rest]
}
