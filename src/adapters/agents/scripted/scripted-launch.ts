import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { LaunchFailure, LaunchPlan, LaunchRequest } from '../../../ports/agent-provider.ts'
import { launchEnvironment, misconfigured } from '../shared/launch-environment.ts'
import { readScript } from './read-script.ts'

const MAX_SCRIPT_BYTES = 1024 * 1024
/** The player is next to this file, as source or compiled like this file. */
const PLAYER = fileURLToPath(new URL(`./play${path.extname(import.meta.url)}`, import.meta.url))

/** The player imports other files of our package. */
const OWN_PACKAGE = fileURLToPath(new URL('../../../../', import.meta.url))

/** Plans the player with the agent's script. Reads the script first, to report its mistakes early. */
export async function planScriptedLaunch(
  nodePath: string,
  request: LaunchRequest,
): Promise<Result<LaunchPlan, LaunchFailure>> {
  if (request.mode === 'interactive') {
    return failure({ type: 'mode-unsupported', mode: request.mode, provider: 'scripted' })
  }
  const file = request.agent.script
  if (file === undefined || !path.isAbsolute(file)) {
    return misconfigured('script', 'must be the absolute path of a script file')
  }
  const text = await readScriptFile(file)
  if (!text.ok) return misconfigured('script', text.failure)
  const script = readScript(text.value, file.endsWith('.json') ? 'json' : 'yaml')
  if (!script.ok) return misconfigured('script', `${file}: ${script.failure}`)
  const environment = launchEnvironment(request)
  if (!environment.ok) return environment
  return success({ command: [nodePath, PLAYER, file], environment: environment.value, reads: [OWN_PACKAGE] })
}

async function readScriptFile(file: string): Promise<Result<string, string>> {
  try {
    // Without O_NONBLOCK, a named pipe in the script's place would block the daemon.
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    const found = await handle.stat()
    if (!found.isFile()) return failure(`${file}: is not a file`)
    if (found.size > MAX_SCRIPT_BYTES) return failure(`${file}: is larger than 1 MiB`)
    return success(await handle.readFile('utf8'))
  } catch (error) {
    return failure(`${file}: cannot be read (${error instanceof Error ? error.message : String(error)})`)
  }
}
