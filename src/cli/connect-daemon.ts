import { join, resolve } from 'node:path'
import { failure, type Result, success } from '../domain/result.ts'
import { readToken } from '../home/daemon-file.ts'
import type { CommandNeeds } from './command-needs.ts'
import { type DaemonLink, openDaemonLink } from './daemon/daemon-link.ts'
import { ensureDaemon } from './daemon/ensure-daemon.ts'
import { findHomeDaemon, findNamedDaemon, reviveHomeDaemon } from './daemon/find-daemon-again.ts'
import { EXIT } from './exit-code.ts'
import type { Problem } from './problem.ts'

const NAMES_LIMIT_MS = 2_000

/** Connects to the daemon named with --server, or to the home's daemon, which is started if necessary. */
export async function connectDaemon(needs: CommandNeeds): Promise<Result<DaemonLink, Problem>> {
  const { options, output } = needs
  const connected =
    options.server === undefined ? await connectHome(needs) : await connectNamed(needs, options.server)
  if (!connected.ok || output.json) return connected
  const names = await connected.value.client.findNames({ signal: AbortSignal.timeout(NAMES_LIMIT_MS) })
  // Without an answer, ids stay whole.
  if (names.ok) output.ids.learn(names.value.lengths)
  return connected
}

async function connectHome({
  output,
  surroundings,
  home,
}: CommandNeeds): Promise<Result<DaemonLink, Problem>> {
  const ensured = await ensureDaemon({ ...surroundings, note: output.note }, home)
  if (!ensured.ok) return ensured
  const { client, token, version } = ensured.value
  const own = surroundings.version
  if (version !== own) {
    output.note(
      `the daemon is version ${version}, but this command is version ${own}; run "${output.hint('muster shutdown')}" to replace it`,
    )
  }
  return success(
    openDaemonLink(
      { url: client.url, token },
      (say) => findHomeDaemon(surroundings, home, say),
      () => reviveHomeDaemon(surroundings, home, output.note),
    ),
  )
}

/** Never starts a daemon: whoever names a server is responsible for it. */
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
    why: `${path} is missing or empty`,
    next: `muster --server ${url} --token-file FILE status`,
  }
}
