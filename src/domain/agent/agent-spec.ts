/** A configured worker: provider, model, roles, limits and environment. */
export type AgentSpec = {
  readonly name: string
  readonly provider: string
  readonly model?: string
  readonly roles: readonly string[]
  readonly maxParallel?: number
  readonly env: Readonly<Record<string, string>>
  /** Read by the `command` provider: program and arguments. */
  readonly command?: readonly string[]
  /** Read by the `scripted` provider: absolute path of the script it plays. */
  readonly script?: string
  /** Whether its tools wait for approvals; `auto` asks unless the sandbox limits what it can reach. */
  readonly permissions?: 'ask' | 'bypass' | 'auto'
  /** Read by the `model` provider: whose model is called, and where. */
  readonly modelSource?: ModelSource
  /** Agents that take its tasks while it is out of quota, first choice first. */
  readonly fallback?: readonly string[]
}

/** A language model that is called directly, without an agent program around it. */
export type ModelSource = {
  readonly provider: 'anthropic' | 'openai' | 'openai-compatible' | 'scripted'
  readonly model: string
  readonly baseUrl?: string
  /** Dollars per million tokens, where the person knows better than our table. */
  readonly priceUsd?: { readonly input: number; readonly output: number }
}
