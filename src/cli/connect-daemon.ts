import { join, resolve } from 'node:path'
import { failure, type Result, success } from '../domain/result.ts'
import type { CommandNeeds } from './command-needs.ts'
import { readToken } from './daemon/daemon-file.ts'
import { type DaemonLink, openDaemonLink } from './daemon/daemon-link.ts'
import { ensureDaemon } from './daemon/ensure-daemon.ts'
import { findHomeDaemon, findNamedDaemon } from './daemon/find-daemon-again.ts'
import { EXIT } from './exit-code.ts'
import type { Problem } from './problem.ts'

/** The daemon this command talks to: the one that was named, or the home's own, started if need be. */
export async function connectDaemon(needs: CommandNeeds): Promise<Result<DaemonLink, Problem>> {
  const { options, output, surroundings, home } = needs
  if (options.server !== undefined) return connectNamed(needs, options.server)
  const ensured = await ensureDaemon({ ...surroundings, note: output.note }, home)
  if (!ensured.ok) return ensured
  const { client, token, version } = ensured.value
  const own = surroundings.version
  if (version !== own) {
    output.note(
      `the daemon is version ${version}, this is ${own}; "${output.hint('muster shutdown')}" lets the new one start`,
    )
  }
  return success(openDaemonLink({ url: client.url, token }, (say) => findHomeDaemon(surroundings, home, say)))
}

/** Never starts anything: whoever names a server looks after it. */
export async function connectNamed(needs: CommandNeeds, url: string): Promise<Result<DaemonLink, Problem>> {
  const { options, surroundings, home } = needs
  const path =
    options.tokenFile === undefined ? join(home, 'token') : resolve(surroundings.cwd, options.tokenFile)
  const token = await readToken(path)
  if (token === undefined) return failure(noToken(url, path))
  const place = { url, token }
  return success(openDaemonLink(place, (say) => findNamedDaemon(place, say)))
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
