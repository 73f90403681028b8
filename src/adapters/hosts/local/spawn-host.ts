import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Holding } from './holding.ts'
import type { HostFiles } from './host-files.ts'

/** When a host gives up on its daemon: so many looks in a row, so far apart, without a sign of it. */
export type AwayLimit = {
  readonly heartbeatFile: string
  readonly ticks: number
  readonly tickSeconds: number
}

export type SpawnRequest = {
  readonly files: HostFiles
  readonly holding: Holding
  readonly away: AwayLimit
  readonly command: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  readonly outputCapBytes: number
}

const SHELL = '/bin/sh'
const HOST_SCRIPT = fileURLToPath(new URL('./host.sh', import.meta.url))
/** How long output may stay open after the program ended, where a process can leave its group with it. */
const LINGER_SECONDS = 2

/**
 * The only place that starts agents. The host is a session leader that shares nothing with the daemon. The
 * program gets the given environment as the shell passes it on: with PWD, and without names no shell can hold.
 */
export function spawnHost(request: SpawnRequest): ChildProcess {
  const { files, holding, away } = request
  const init = [SHELL, HOST_SCRIPT, 'init', files.directory, holding.containment]
  const child = spawn(
    SHELL,
    [
      HOST_SCRIPT,
      'host',
      files.directory,
      String(request.outputCapBytes),
      holding.containment,
      String(LINGER_SECONDS),
      away.heartbeatFile,
      String(away.ticks),
      String(away.tickSeconds),
      ...holding.command,
      ...init,
      ...holding.ownGroup,
      ...request.command,
    ],
    { cwd: request.cwd, env: request.environment, detached: true, stdio: 'ignore' },
  )
  child.unref()
  return child
}
