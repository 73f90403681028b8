import { join, resolve } from 'node:path'
import { connect, type MusterClient } from '../client/index.ts'
import { failure, type Result, success } from '../domain/result.ts'
import type { CommandNeeds } from './command-needs.ts'
import { readToken } from './daemon/daemon-file.ts'
import { ensureDaemon } from './daemon/ensure-daemon.ts'
import { EXIT } from './exit-code.ts'
import type { Problem } from './problem.ts'

/** The daemon this command talks to: the one that was named, or the home's own, started if need be. */
export async function connectDaemon(needs: CommandNeeds): Promise<Result<MusterClient, Problem>> {
  if (needs.options.server !== undefined) return connectNamed(needs, needs.options.server)
  const ensured = await ensureDaemon({ ...needs.surroundings, note: needs.output.note }, needs.home)
  if (!ensured.ok) return ensured
  const { client, version } = ensured.value
  const own = needs.surroundings.version
  if (version !== own) {
    needs.output.note(
      `the daemon is version ${version}, this is ${own}; "muster shutdown" lets the new one start`,
    )
  }
  return success(client)
}

/** Never starts anything: whoever names a server looks after it. */
export async function connectNamed(needs: CommandNeeds, url: string): Promise<Result<MusterClient, Problem>> {
  const { options, surroundings, home } = needs
  const path =
    options.tokenFile === undefined ? join(home, 'token') : resolve(surroundings.cwd, options.tokenFile)
  const token = await readToken(path)
  if (token === undefined) return failure(noToken(url, path))
  return success(connect({ url, token }))
}

function noToken(url: string, path: string): Problem {
  return {
    type: 'token-missing',
    exitCode: EXIT.usage,
    message: `there is no token for ${url}`,
    why: `${path} is absent or empty`,
    next: `muster --server ${url} --token-file FILE status`,
  }
}
