import path from 'node:path'
import type { AgentSpec } from '../../../domain/agent/agent-spec.ts'
import { USUAL_ROLES } from '../../../domain/agent/built-in-roles.ts'
import { READY_MADE } from '../../../domain/agent/ready-made.ts'
import { withoutUndefined } from '../../../domain/without-undefined.ts'
import type { Configuration } from '../../../ports/configuration-source.ts'
import type { ConfigurationFile } from './configuration-file.ts'
import type { ConfigurationFields } from './configuration-schema.ts'

type Entry = ConfigurationFields['agents'][string]

/** The agents of all files, in the order in which they are first defined, and the values of their variables. */
export function mergeAgents(
  files: readonly ConfigurationFile[],
  repositoryPath: string,
): Pick<Configuration, 'agents' | 'environments'> {
  const entries = mergeEntries(files)
  return {
    agents: entries.map(([name, { provider, roles = USUAL_ROLES, command, script, env, ...fields }]) =>
      withoutUndefined({
        name,
        ...providerFor(name, provider),
        ...fields,
        roles,
        env: Object.keys(env),
        command: command && rootedCommand(command, repositoryPath),
        script: script && path.resolve(repositoryPath, script),
      }),
    ),
    environments: Object.fromEntries(entries.map(([name, { env }]) => [name, env])),
  }
}

/** If several files define the same agent, the last one that sets a field or a variable decides about it. */
function mergeEntries(files: readonly ConfigurationFile[]): readonly (readonly [string, Entry])[] {
  const merged = new Map<string, Entry>()
  for (const [name, entry] of files.flatMap((file) => Object.entries(file.fields.agents))) {
    const earlier = merged.get(name)
    merged.set(name, earlier === undefined ? entry : mergeEntry(earlier, entry))
  }
  return [...merged]
}

/** The model, the command and the key of one program mean nothing to another one. */
function mergeEntry(earlier: Entry, later: Entry): Entry {
  const isOtherProgram =
    earlier.provider !== undefined && later.provider !== undefined && earlier.provider !== later.provider
  if (isOtherProgram) return later
  return { ...earlier, ...withoutUndefined(later), env: { ...earlier.env, ...later.env } }
}

/** Without a provider, settings belong to the program of that name. The schema refuses any other name. */
function providerFor(
  name: string,
  provider: string | undefined,
): Pick<AgentSpec, 'provider' | 'isReadyMade'> {
  if (provider !== undefined) return { provider }
  return {
    provider: READY_MADE.find((program) => program.name === name)?.provider ?? name,
    isReadyMade: true,
  }
}

/** A program with a relative path is in the repository. A program without a path is found in the search path. */
function rootedCommand(command: readonly string[], repositoryPath: string): readonly string[] {
  const [program = '', ...rest] = command
  return [program.includes('/') ? path.resolve(repositoryPath, program) : program, ...rest]
}
