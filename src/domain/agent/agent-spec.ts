/** A configured worker: provider, model, roles and limits. */
export type AgentSpec = {
  readonly name: string
  readonly provider: string
  readonly model?: string
  readonly roles: readonly string[]
  readonly maxParallel?: number
  /** Names of its own variables. Their values are never stored: they are read when its program starts. */
  readonly env: readonly string[]
  /** For the `command` provider: program and arguments. */
  readonly command?: readonly string[]
  /** For the `scripted` provider: absolute path of the script it plays. */
  readonly script?: string
  /** Whether its tools wait for approvals; `auto` asks unless the sandbox limits what they can reach. */
  readonly permissions?: 'ask' | 'bypass' | 'auto'
  /** Only adds settings to a program that is an agent anyway once it is installed, and is chosen as if it had none. */
  readonly isReadyMade?: true
  /** For the `model` provider: whose model is called, and where. */
  readonly modelSource?: ModelSource
  /** Agents that take its tasks while it is out of quota, first choice first. */
  readonly fallback?: readonly string[]
}

/** A language model that is called directly, without an agent program. */
export type ModelSource = {
  readonly provider: 'anthropic' | 'openai' | 'openai-compatible' | 'scripted'
  readonly model: string
  readonly baseUrl?: string
  /** Dollars per million tokens, if the person knows better than our table. */
  readonly priceUsd?: { readonly input: number; readonly output: number }
}
