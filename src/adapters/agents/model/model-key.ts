import type { ModelSource } from '../../../domain/agent/agent-spec.ts'
import type { Readiness, ReadinessRequest } from '../../../ports/agent-provider.ts'

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
