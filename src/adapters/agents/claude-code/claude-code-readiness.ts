import type { Readiness, ReadinessRequest } from '../../../ports/agent-provider.ts'
import { askProgram } from '../shared/ask-program.ts'
import { parseJsonObject } from '../shared/parse-json-object.ts'
import { findOutdated, isOlder, versionIn } from '../shared/program-version.ts'
import { notLoggedIn } from '../shared/unready-program.ts'
import { CLAUDE_CODE } from './claude-code-launch.ts'

/** Earlier versions have no `auth` command. They would send these words to the model. */
const AUTH_SINCE = '2.1.41'

/** Asks the program for its version and its log-in. A log-in may still turn out to be expired. */
export async function claudeCodeReadiness(request: ReadinessRequest): Promise<Readiness> {
  const version = versionIn((await askProgram(CLAUDE_CODE, request, ['--version'])) ?? '')
  if (version === undefined) return { type: 'unsure' }
  const outdated = findOutdated(CLAUDE_CODE, version)
  if (outdated !== undefined) return { type: 'unready', ...outdated }
  if (isOlder(version, AUTH_SINCE)) return { type: 'unsure' }
  const status = await askProgram(CLAUDE_CODE, request, ['auth', 'status'])
  return readAuthStatus(status ?? '')
}

function readAuthStatus(output: string): Readiness {
  const isLoggedIn = parseJsonObject(output)?.['loggedIn']
  if (isLoggedIn === false) return { type: 'unready', ...notLoggedIn(CLAUDE_CODE) }
  return isLoggedIn === true ? { type: 'ready' } : { type: 'unsure' }
}
