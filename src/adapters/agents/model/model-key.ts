import type { ModelSource } from '../../../domain/agent/agent-spec.ts'
import type { Unready } from '../../../domain/agent/unready.ts'
import type { Readiness, ReadinessRequest } from '../../../ports/agent-provider.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The exit code of a call whose key was rejected: the system's own for a lack of permission. */
export const KEY_REJECTED_EXIT = 77

/** The variables that may have the key of any other service. */
export const COMPATIBLE_KEYS = ['MUSTER_MODEL_API_KEY', 'OPENAI_API_KEY'] as const

/** The variables with the keys of the services that answer no one without a key. */
export const REQUIRED_KEYS = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
} as const satisfies Partial<Record<ModelSource['provider'], string>>

const SERVICES = { anthropic: 'Anthropic', openai: 'OpenAI' } as const satisfies Record<
  keyof typeof REQUIRED_KEYS,
  string
>

/** Without its key, a call fails for certain. Whether a key is valid shows only when it is used. */
export async function modelReadiness({ agent, environment }: ReadinessRequest): Promise<Readiness> {
  const { provider } = agent.modelSource ?? {}
  if (provider !== 'anthropic' && provider !== 'openai') return { type: 'unsure' }
  const variable = REQUIRED_KEYS[provider]
  const key: string | undefined = { ...environment, ...agent.env }[variable]
  if (key !== undefined && key.trim() !== '') return { type: 'unsure' }
  return {
    type: 'unready',
    cause: 'login',
    reason: `There is no key for ${SERVICES[provider]}: ${variable} is not set`,
    remedy: `Set ${variable} in your shell and run \`muster shutdown\``,
  }
}

/** What the exit code of a call says about the key. */
export function unreadyAfterCall(
  code: number,
  { agent, environment }: Pick<ReadinessRequest, 'agent' | 'environment'>,
): Unready | undefined {
  if (code !== KEY_REJECTED_EXIT) return undefined
  const { provider = 'openai-compatible' } = agent.modelSource ?? {}
  const isKnown = provider === 'anthropic' || provider === 'openai'
  const names = isKnown ? [REQUIRED_KEYS[provider]] : COMPATIBLE_KEYS
  const [found] = firstSet({ ...environment, ...agent.env }, names)
  const service = isKnown ? SERVICES[provider] : "The model's server"
  const variable = found ?? names[0]
  return {
    cause: 'login',
    reason: `${service} rejected ${found === undefined ? 'a call without a key' : `the key in ${variable}`}`,
    remedy: `Set ${variable} to a valid key in your shell and run \`muster shutdown\``,
  }
}

/** The first of these variables that has a value, with it. */
export function firstSet<Name extends string>(
  environment: Environment,
  names: readonly Name[],
): readonly [Name | undefined, string | undefined] {
  const name = names.find((candidate) => (environment[candidate]?.trim() ?? '') !== '')
  return name === undefined ? [undefined, undefined] : [name, environment[name]?.trim()]
}
