import { delimiter } from 'node:path'
import { digestOfVariable, type WireEnvironment } from '../contract/environment.ts'
import type { EngineNeeds } from '../engine/engine-needs.ts'
import { variablesOf } from '../engine/providers/variables-of.ts'

type Needs = Pick<EngineNeeds, 'providers'> & {
  readonly token: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** What this daemon was started with, so that a command can compare it with its own environment. */
export async function ownEnvironment({ providers, token, environment }: Needs): Promise<WireEnvironment> {
  const known = providers.list().flatMap((id) => providers.get(id) ?? [])
  const names = [...new Set(known.flatMap(variablesOf))].toSorted()
  const variables = names.map(async (name) => {
    const value = environment[name]
    const users = known.filter((provider) => variablesOf(provider).includes(name))
    return {
      name,
      providers: users.map(({ providerId }) => providerId),
      ...(value ? { digest: await digestOfVariable(token, name, value) } : {}),
    }
  })
  return {
    searchPath: (environment['PATH'] ?? '').split(delimiter),
    variables: await Promise.all(variables),
  }
}
