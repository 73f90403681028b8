import { READY_MADE } from '../../domain/agent/ready-made.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { AgentProvider, Availability, ModelInfo, Readiness } from '../../ports/agent-provider.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { findHomeProblem } from '../providers/find-home-problem.ts'
import { variablesOf } from '../providers/variables-of.ts'
import { readTrusted } from '../trust/read-trusted.ts'

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

type Needs = Pick<EngineNeeds, 'providers' | 'settings' | 'configuration' | 'store' | 'disk'>

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

/** Asked for the agent that has the program's usual name, with the variables that the person's own file gives it. */
async function readinessOf(
  needs: Needs,
  provider: AgentProvider,
  availability: Availability,
): Promise<Readiness | undefined> {
  if (availability.type === 'missing') return undefined
  if (availability.unready !== undefined) return { type: 'unready', ...availability.unready }
  const problem = await findHomeProblem(needs, provider, undefined)
  if (problem !== undefined) return { type: 'unready', ...problem }
  const { settings } = needs
  const { providerId } = provider
  const name = READY_MADE.find((agent) => agent.provider === providerId)?.name ?? providerId
  return await provider.readiness?.({
    agent: { name, provider: providerId, roles: [], env: await ownVariablesOf(needs, name, providerId) },
    environment: { ...settings.passedEnvironment, ...settings.credentialsOf(variablesOf(provider)) },
    treeDirectory: '/',
  })
}

/** No repository is at the root, so only the person's own file counts. */
async function ownVariablesOf(
  needs: Needs,
  name: string,
  providerId: string,
): Promise<Readonly<Record<string, string>>> {
  const read = await readTrusted(needs, '/')
  if (!read.ok) return {}
  const isSame = read.value.agents.some((agent) => agent.name === name && agent.provider === providerId)
  return isSame ? (read.value.environments[name] ?? {}) : {}
}
