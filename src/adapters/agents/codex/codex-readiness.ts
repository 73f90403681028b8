import { z } from 'zod'
import type { Readiness, ReadinessRequest } from '../../../ports/agent-provider.ts'
import { planInstalled } from '../shared/installed-program.ts'
import { findOutdated, versionIn } from '../shared/program-version.ts'
import { notLoggedIn } from '../shared/unready-program.ts'
import { askCodex } from './ask-codex.ts'
import { type CodexSession, findMissingKey, keySettings } from './codex-key.ts'
import { CODEX } from './codex-launch.ts'

const greeting = z.object({ result: z.object({ userAgent: z.string() }) })
const account = z.object({
  result: z.object({ account: z.unknown().optional(), requiresOpenaiAuth: z.boolean() }),
})
const settings = z.object({
  result: z.object({ config: keySettings.extend({ openai_base_url: z.string().nullish() }) }),
})

/** Asks the app-server, which sessions use, for its version, its log-in and its settings. */
export async function codexReadiness(request: ReadinessRequest): Promise<Readiness> {
  const planned = await planInstalled(CODEX, request, { arguments: [] })
  if (!planned.ok) return { type: 'unsure' }
  const answers = await askCodex(planned.value, [
    { method: 'account/read', params: { refreshToken: false } },
    { method: 'config/read', params: { includeLayers: false } },
  ])
  return readCodexAnswers(answers, { agent: request.agent.name, environment: planned.value.environment })
}

/** A person's own address may need no log-in, so the program can't tell then. */
export function readCodexAnswers(answers: readonly unknown[], session: CodexSession): Readiness {
  const [greeted, asked, configured] = answers
  const agent = greeting.safeParse(greeted).data?.result.userAgent
  const version = agent === undefined ? undefined : versionIn(agent)
  const outdated = version === undefined ? undefined : findOutdated(CODEX, version)
  if (outdated !== undefined) return { type: 'unready', ...outdated }
  const config = settings.safeParse(configured).data?.result.config
  const keyless = config === undefined ? undefined : findMissingKey(config, session)
  if (keyless !== undefined) return { type: 'unready', ...keyless }
  const login = account.safeParse(asked).data?.result
  if (login === undefined) return { type: 'unsure' }
  if (!login.requiresOpenaiAuth || login.account) return { type: 'ready' }
  const hasOwnAddress = session.environment['OPENAI_BASE_URL'] || config?.openai_base_url
  if (hasOwnAddress || config === undefined) return { type: 'unsure' }
  return { type: 'unready', ...notLoggedIn(CODEX) }
}
