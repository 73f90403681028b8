/**
 * Variables with credentials or the address of the model, and with the keys of other services that people connect Codex
 * to with `model_providers` and `env_key` in its settings.
 */
export const CODEX_CREDENTIALS: readonly string[] = [
  'CODEX_API_KEY',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'OPENAI_ORGANIZATION',
  'OPENAI_PROJECT',
  'AZURE_OPENAI_API_KEY',
  'OPENROUTER_API_KEY',
  'MISTRAL_API_KEY',
]
