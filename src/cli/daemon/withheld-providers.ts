import type { MusterClient } from '../../client/index.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { AGENT_EXAMPLES } from '../init/agent-examples.ts'
import { findEnvironmentGap } from './environment-gap.ts'
import { programsIn } from './programs-in.ts'

/**
 * The providers whose programs or keys this command has, but not the daemon. Without them, work would go to another
 * vendor's program although the person's shell could use the usual one, so the daemon is told to refuse it instead.
 * None if the person names an agent.
 */
export async function withheldProviders(
  needs: Pick<CommandNeeds, 'options' | 'surroundings' | 'home'>,
  client: MusterClient,
  agent: string | undefined,
): Promise<{ readonly neverSkip?: string[] }> {
  const gap = agent === undefined ? await findEnvironmentGap(needs, client) : undefined
  if (gap === undefined) return {}
  const keys = gap.variables.flatMap(({ providers }) => providers)
  const found = await programsIn(
    gap,
    AGENT_EXAMPLES.map(({ program }) => program),
  )
  const missing = found.length === 0 ? [] : await missingProviders(client)
  const programs = AGENT_EXAMPLES.filter(({ program }) => found.some((one) => one.program === program))
    .map(({ provider }) => provider)
    .filter((provider) => missing.includes(provider))
  const withheld = [...new Set([...keys, ...programs])]
  return withheld.length === 0 ? {} : { neverSkip: withheld }
}

async function missingProviders(client: MusterClient): Promise<readonly string[]> {
  const providers = await client.listProviders()
  if (!providers.ok) return []
  return providers.value.items
    .filter(({ availability }) => availability.type === 'missing')
    .map(({ id }) => id)
}
