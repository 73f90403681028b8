import type { WireProvider } from '../../contract/provider.ts'
import type { AgentProvider } from '../../ports/agent-provider.ts'

/** What a provider can do follows from whether its program is spoken to. */
export async function providerToWire(provider: AgentProvider, withModels: boolean): Promise<WireProvider> {
  const isSpokenTo = provider.dialogue !== undefined
  const [availability, models] = await Promise.all([
    provider.availability(),
    withModels ? provider.models() : undefined,
  ])
  return {
    id: provider.providerId,
    availability,
    resumes: isSpokenTo,
    asks: isSpokenTo,
    // Programs known by their protocol alone have no screen of their own that we could know of.
    hasTerminal: provider.homePaths.length > 0 || provider.providerId === 'command',
    ...(models === undefined ? {} : { models: models.map((model) => ({ ...model })) }),
  }
}
