import type { AgentProvider } from '../../ports/agent-provider.ts'
import { ProviderError } from './provider-error.ts'

/** The agent programs that Muster can drive, by name, and the default one. */
export class AgentProviderRegistry {
  readonly #providers = new Map<string, AgentProvider>()
  #defaultName: string

  constructor(providers: readonly AgentProvider[], defaultName: string) {
    for (const provider of providers) this.#providers.set(provider.providerId, provider)
    this.#defaultName = defaultName
  }

  /** The names in the order of registration. */
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

  /** The provider, after checking that its program is installed. */
  async getOrThrow(name: string): Promise<AgentProvider> {
    const provider = this.#known(name)
    const availability = await provider.availability()
    if (availability.type === 'available') return provider
    throw new ProviderError(name, `provider ${name} is not installed: ${availability.install}`)
  }

  /** Adds a provider, replacing one with the same name. */
  register(provider: AgentProvider): void {
    this.#providers.set(provider.providerId, provider)
  }

  #known(name: string): AgentProvider {
    const provider = this.#providers.get(name)
    if (provider !== undefined) return provider
    throw new ProviderError(name, `there is no provider ${name}; there are ${this.list().join(', ')}`)
  }
}
