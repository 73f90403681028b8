import { delimiter } from 'node:path'
import { digestOfVariable, type WireEnvironment } from '../contract/environment.ts'
import type { EngineNeeds } from '../engine/engine-needs.ts'

type Needs = Pick<EngineNeeds, 'providers'> & {
  readonly token: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** What this daemon was started with, so that a command can compare it with its own environment. */
export async function ownEnvironment({ providers, token, environment }: Needs): Promise<WireEnvironment> {
  const known = providers.list().flatMap((id) => providers.get(id) ?? [])
  const names = [...new Set(known.flatMap(({ credentials }) => credentials))].toSorted()
  const variables = names.map(async (name) => {
    const value = environment[name]
    const users = known.filter(({ credentials }) => credentials.includes(name))
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
