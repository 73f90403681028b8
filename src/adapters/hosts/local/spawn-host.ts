import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Containment } from '../../../domain/session/sandbox-policy.ts'
import type { HostFiles } from './host-files.ts'

/** When a host gives up on its daemon: so many looks in a row, so far apart, without a sign of it. */
export type AwayLimit = {
  readonly heartbeatFile: string
  readonly ticks: number
  readonly tickSeconds: number
}

export type SpawnRequest = {
  readonly files: HostFiles
  readonly containment: Containment
  /** What holds the session, put before the host's init. */
  readonly holder: readonly string[]
  readonly ownGroup: readonly string[]
  readonly away: AwayLimit
  readonly command: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  readonly outputCapBytes: number
  readonly hasInput: boolean
  readonly memoryMb: number | undefined
  readonly maxProcesses: number | undefined
}

export const HOST_SCRIPT = fileURLToPath(new URL('./host.sh', import.meta.url))
const SHELL = '/bin/sh'
const NO_LIMIT = 0
/** How long output may stay open after the program ended, where a process can leave its group with it. */
const LINGER_SECONDS = 2

/**
 * The only place that starts agents. The host is a session leader that shares nothing with the daemon. The
 * program gets the given environment as the shell passes it on: with PWD, and without names no shell can hold.
 */
export function spawnHost(request: SpawnRequest): ChildProcess {
  const { files, away, containment } = request
  const init = [SHELL, HOST_SCRIPT, 'init', files.directory, containment]
  const child = spawn(
    SHELL,
    [
      HOST_SCRIPT,
      'host',
      files.directory,
      String(request.outputCapBytes),
      containment,
      String(LINGER_SECONDS),
      away.heartbeatFile,
      String(away.ticks),
      String(away.tickSeconds),
      request.hasInput ? 'yes' : 'no',
      String((request.memoryMb ?? NO_LIMIT) * 1024),
      String(request.maxProcesses ?? NO_LIMIT),
      ...request.holder,
      ...init,
      ...request.ownGroup,
      ...request.command,
    ],
    { cwd: request.cwd, env: request.environment, detached: true, stdio: 'ignore' },
  )
  child.unref()
  return child
}
