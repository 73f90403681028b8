import type { AgentProvider } from '../../../ports/agent-provider.ts'
import { findAnswer } from '../shared/find-answer.ts'
import { installedAvailability } from '../shared/installed-program.ts'
import { readEventLine } from '../shared/read-event-line.ts'
import { CODEX_CREDENTIALS } from './codex-credentials.ts'
import { codexDialogue } from './codex-dialogue.ts'
import { CODEX, planCodexLaunch } from './codex-launch.ts'
import { listCodexModels } from './codex-models.ts'
import { codexReadiness } from './codex-readiness.ts'

/** OpenAI's Codex, over its app-server. */
export function createCodexProvider(): AgentProvider {
  return {
    providerId: 'codex',
    credentials: CODEX_CREDENTIALS,
    homePaths: ['.codex'],
    homeVariable: 'CODEX_HOME',
    dialogue: codexDialogue,
    availability: () => installedAvailability(CODEX),
    readiness: codexReadiness,
    models: () => listCodexModels(process.env['PATH'] ?? ''),
    plan: planCodexLaunch,
    readLine: readEventLine,
    findAnswer,
  }
}
