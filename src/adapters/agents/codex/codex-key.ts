import { z } from 'zod'
import type { Unready } from '../../../domain/agent/unready.ts'
import { CODEX_CREDENTIALS } from './codex-credentials.ts'

const modelProvider = z.object({ env_key: z.string().nullish() }).catch({})

/** The settings that decide where the program takes its key from. */
export const keySettings = z.object({
  model_provider: z.string().nullish(),
  model_providers: z.record(z.string(), modelProvider).nullish().catch(undefined),
  profile: z.string().nullish(),
})

type KeySettings = z.infer<typeof keySettings>

/** A session's agent and the variables that it gets. */
export type CodexSession = {
  readonly agent: string
  readonly environment: Readonly<Record<string, string>>
}

/**
 * The settings can name a variable with the key (`env_key`). Without it, the program fails before it asks its model, and
 * doesn't report that in a typed field.
 */
export function findMissingKey(
  settings: KeySettings,
  { agent, environment }: CodexSession,
): Unready | undefined {
  const variable = keyVariableIn(settings)
  if (variable === undefined || (environment[variable] ?? '').trim() !== '') return undefined
  const reason = `Codex has no key: its settings take the key from ${variable} (\`env_key\`)`
  // An agent can write to Codex's settings, so they must not decide which other variables of the daemon it sees.
  return CODEX_CREDENTIALS.includes(variable)
    ? {
        cause: 'login',
        reason: `${reason}, which the daemon does not have`,
        remedy: `Set ${variable} in your shell and run \`muster shutdown\``,
      }
    : {
        cause: 'login',
        reason: `${reason}, which its sessions do not get`,
        remedy: `Set ${variable} under \`agents.${agent}.env\` in ~/.config/muster/config.yaml`,
      }
}

function keyVariableIn({
  model_provider: chosen,
  model_providers: known,
  profile,
}: KeySettings): string | undefined {
  // A profile may choose another provider.
  if (profile || !chosen) return undefined
  return known?.[chosen]?.env_key || undefined
}
