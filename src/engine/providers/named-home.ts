import { isAbsolute, normalize } from 'node:path'
import type { AgentProvider } from '../../ports/agent-provider.ts'
import type { EngineNeeds } from '../engine-needs.ts'

/** The directory that the person named, with a variable of the daemon, for the files of a provider's program. */
export function namedHomeOf(
  { settings }: Pick<EngineNeeds, 'settings'>,
  { homeVariable }: Pick<AgentProvider, 'homeVariable'>,
): string | undefined {
  if (homeVariable === undefined) return undefined
  const value = settings.credentialsOf([homeVariable])[homeVariable]
  if (value === undefined || !isAbsolute(value)) return undefined
  return normalize(value).replace(/(?<=.)\/$/, '')
}

/** These directories of all providers. Each contains a log-in, which only sessions of that provider may see. */
export function namedHomes(needs: Pick<EngineNeeds, 'settings' | 'providers'>): readonly string[] {
  const providers = needs.providers.list().flatMap((name) => needs.providers.get(name) ?? [])
  return providers.flatMap((provider) => namedHomeOf(needs, provider) ?? []).filter((path) => path !== '/')
}
