import { access } from 'node:fs/promises'
import path from 'node:path'
import type { Readiness, ReadinessRequest } from '../../../ports/agent-provider.ts'
import { notLoggedIn } from '../shared/unready-program.ts'
import { GEMINI } from './gemini-launch.ts'

const KEYS = [
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENAI_USE_VERTEXAI',
  'GOOGLE_GENAI_USE_GCA',
  'GEMINI_CLI_HOME',
  'GEMINI_CLI_SYSTEM_SETTINGS_PATH',
] as const
/** Where the program finds a log-in, a key or the choice of a log-in, below the home. */
const HOME_FILES = ['.gemini/settings.json', '.gemini/oauth_creds.json', '.gemini/.env', '.env'] as const
const SYSTEM_FILES = ['/etc/gemini-cli/settings.json', '/etc/gemini-cli/system-defaults.json'] as const

/**
 * The program can't be asked cheaply: its start takes seconds. If there is nowhere that it could find a log-in, it has
 * none. If there is something, only the program knows whether it is any good.
 */
export async function geminiReadiness({ agent, environment }: ReadinessRequest): Promise<Readiness> {
  const variables: Readonly<Record<string, string>> = { ...environment, ...agent.env }
  const { HOME: home = '' } = variables
  if (home === '' || KEYS.some((name) => variables[name])) return { type: 'unsure' }
  const files = [...HOME_FILES.map((file) => path.join(home, file)), ...SYSTEM_FILES]
  const found = await Promise.all(files.map(exists))
  return found.includes(true) ? { type: 'unsure' } : { type: 'unready', ...notLoggedIn(GEMINI) }
}

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    // Only a file that is certainly not there counts as missing.
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  )
}
