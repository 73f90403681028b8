import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { AgentProvider, Availability, ModelInfo } from '../../ports/agent-provider.ts'
import type { AgentProviderRegistry } from '../providers/agent-provider-registry.ts'

/** One kind of agent program: what it can do, and whether this machine has it. */
export type ProviderView = {
  readonly id: string
  readonly availability: Availability
  /** Its program holds a conversation: it can be resumed, and can ask before it acts. */
  readonly converses: boolean
  readonly hasTerminal: boolean
  readonly models?: readonly ModelInfo[]
}

/** Asking for models starts the programs, which takes a while. */
export function listProviders(
  { providers }: { readonly providers: AgentProviderRegistry },
  { withModels }: { readonly withModels: boolean },
): Promise<readonly ProviderView[]> {
  const known = providers.list().flatMap((name) => providers.get(name) ?? [])
  return Promise.all(known.map((provider) => viewProvider(provider, withModels)))
}

async function viewProvider(provider: AgentProvider, withModels: boolean): Promise<ProviderView> {
  const [availability, models] = await Promise.all([
    provider.availability(),
    withModels ? provider.models() : undefined,
  ])
  return withoutUndefined({
    id: provider.providerId,
    availability,
    converses: provider.dialogue !== undefined,
    // A program known by its protocol alone has no screen of its own that we could know of.
    hasTerminal: provider.homePaths.length > 0 || provider.providerId === 'command',
    models,
  })
}
