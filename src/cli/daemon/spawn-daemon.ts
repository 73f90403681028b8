import { spawn } from 'node:child_process'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '../../home/make-directory.ts'
import { makeHome } from '../../home/make-home.ts'
import type { Surroundings } from '../surroundings.ts'

type Needs = Pick<Surroundings, 'program' | 'environment' | 'isRoot'>

export type DaemonEnd =
  | { readonly type: 'exited'; readonly code: number }
  | { readonly type: 'signalled'; readonly signal: string }
  | { readonly type: 'unstartable'; readonly problem: string }

/** A daemon that was started as an independent process. Its exit is only observed. */
export type SpawnedDaemon = {
  readonly ended: Promise<DaemonEnd>
  readonly logPath: string
  /** The length of the log before this daemon started. */
  readonly logOffset: number
}

/** Starts a daemon for `home` that outlives this process and writes to the daemon's log. */
export async function spawnDaemon(needs: Needs, home: string): Promise<SpawnedDaemon> {
  await makeHome(home, needs.isRoot)
  await makeDirectory(join(home, 'logs'), 0o700)
  const logPath = join(home, 'logs', 'daemon.log')
  const log = await open(logPath, 'a', 0o600)
  try {
    const { size: logOffset } = await log.stat()
    return { ended: startProcess(needs, home, log), logPath, logOffset }
  } finally {
    await log.close()
  }
}

function startProcess(needs: Needs, home: string, log: FileHandle): Promise<DaemonEnd> {
  const [program, ...leading] = needs.program
  const child = spawn(program, [...leading, 'serve', '--background', '--home', home], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    // The daemon outlives this command, and the command's trust must not apply to everything that comes later.
    env: { ...needs.environment, MUSTER_TRUST: undefined, MUSTER_HOME: home },
  })
  child.unref()
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ type: 'unstartable', problem: error.message }))
    child.once('exit', (code, signal) => resolve(endOf(code, signal)))
  })
}

function endOf(code: number | null, signal: NodeJS.Signals | null): DaemonEnd {
  return signal === null ? { type: 'exited', code: code ?? 0 } : { type: 'signalled', signal }
}
