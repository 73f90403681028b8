import type { AgentProvider } from '../../ports/agent-provider.ts'
import { ProviderError } from './provider-error.ts'

/** The agent programs Muster can drive, by name, and which of them is meant when none is named. */
export class AgentProviderRegistry {
  readonly #providers = new Map<string, AgentProvider>()
  #defaultName: string

  constructor(providers: readonly AgentProvider[], defaultName: string) {
    for (const provider of providers) this.#providers.set(provider.providerId, provider)
    this.#defaultName = defaultName
  }

  /** The names, in the order in which they were registered. */
  list(): readonly string[] {
    return [...this.#providers.keys()]
  }

  get(name: string): AgentProvider | undefined {
    return this.#providers.get(name)
  }

  getDefault(): AgentProvider {
    return this.#known(this.#defaultName)
  }

  setDefault(name: string): void {
    this.#defaultName = this.#known(name).providerId
  }

  /** The provider, with its program seen to be installed. */
  async getOrThrow(name: string): Promise<AgentProvider> {
    const provider = this.#known(name)
    const availability = await provider.availability()
    if (availability.type === 'available') return provider
    throw new ProviderError(name, `provider ${name} is not installed: ${availability.install}`)
  }

  /** Adds a provider; one of the same name is replaced. */
  register(provider: AgentProvider): void {
    this.#providers.set(provider.providerId, provider)
  }

  #known(name: string): AgentProvider {
    const provider = this.#providers.get(name)
    if (provider !== undefined) return provider
    throw new ProviderError(name, `there is no provider ${name}; there are ${this.list().join(', ')}`)
  }
}
