import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { AgentProvider, Availability, ModelInfo, Readiness } from '../../ports/agent-provider.ts'
import type { EngineNeeds } from '../engine-needs.ts'

/** One kind of agent program: what it can do, and whether this machine has it. */
export type ProviderView = {
  readonly id: string
  readonly availability: Availability
  /** Whether it can work now; absent if it isn't installed or nothing is known. */
  readonly readiness?: Readiness
  /** Its program holds a conversation: it can be resumed, and can ask before it acts. */
  readonly converses: boolean
  readonly hasTerminal: boolean
  readonly models?: readonly ModelInfo[]
}

type Needs = Pick<EngineNeeds, 'providers' | 'settings'>

/** Asking for models starts the programs, which takes a while. */
export function listProviders(
  needs: Needs,
  { withModels }: { readonly withModels: boolean },
): Promise<readonly ProviderView[]> {
  const { providers } = needs
  const known = providers.list().flatMap((name) => providers.get(name) ?? [])
  return Promise.all(known.map((provider) => viewProvider(needs, provider, withModels)))
}

async function viewProvider(
  needs: Needs,
  provider: AgentProvider,
  withModels: boolean,
): Promise<ProviderView> {
  const [availability, models] = await Promise.all([
    provider.availability(),
    withModels ? provider.models() : undefined,
  ])
  return withoutUndefined({
    id: provider.providerId,
    availability,
    readiness: await readinessOf(needs, provider, availability),
    converses: provider.dialogue !== undefined,
    // If only its protocol is known, it is unknown whether a program has its own terminal UI.
    hasTerminal: provider.homePaths.length > 0 || provider.providerId === 'command',
    models,
  })
}

/** Asked for an agent without settings of its own. */
async function readinessOf(
  { settings }: Needs,
  provider: AgentProvider,
  availability: Availability,
): Promise<Readiness | undefined> {
  if (availability.type === 'missing') return undefined
  if (availability.unready !== undefined) return { type: 'unready', ...availability.unready }
  const { providerId } = provider
  return await provider.readiness?.({
    agent: { name: providerId, provider: providerId, roles: [], env: {} },
    environment: { ...settings.passedEnvironment, ...settings.credentialsOf(provider.credentials) },
    treeDirectory: '/',
  })
}
