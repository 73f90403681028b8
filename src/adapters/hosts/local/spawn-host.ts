import { fileURLToPath } from 'node:url'
import type { Containment } from '../../../domain/session/sandbox-policy.ts'
import type { ProcessRequest } from '../../shared/processes/start-process.ts'
import type { HostFiles } from './host-files.ts'

/** When a host gives up on its daemon. It adds up the naps between its looks instead of comparing clocks. */
export type AwayLimit = {
  readonly heartbeatFile: string
  readonly awayMs: number
  /** The longest time between two looks. The first looks come sooner. */
  readonly napMs: number
}

export type SpawnRequest = {
  readonly files: HostFiles
  readonly containment: Containment
  /** The command that contains the session. The host puts it in front of its init. */
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
/** How long output may stay open after the program has ended, if a process can leave the group with it. */
const LINGER_SECONDS = 2

/**
 * The only place that starts agents. The host is a session leader that shares nothing with the daemon. A shell passes
 * the given environment on to the program: it adds PWD and drops names that are not valid in a shell.
 */
export function hostProcess(request: SpawnRequest): ProcessRequest {
  const { files, away, containment } = request
  const init = [SHELL, HOST_SCRIPT, 'init', files.directory, containment]
  return {
    command: SHELL,
    arguments: [
      HOST_SCRIPT,
      'host',
      files.directory,
      String(request.outputCapBytes),
      containment,
      String(LINGER_SECONDS),
      away.heartbeatFile,
      String(away.awayMs),
      String(away.napMs),
      request.hasInput ? 'yes' : 'no',
      String((request.memoryMb ?? NO_LIMIT) * 1024),
      String(request.maxProcesses ?? NO_LIMIT),
      ...request.holder,
      ...init,
      ...request.ownGroup,
      ...request.command,
    ],
    cwd: request.cwd,
    environment: request.environment,
    hasInput: false,
    hasOutput: false,
    isBackground: true,
  }
}
