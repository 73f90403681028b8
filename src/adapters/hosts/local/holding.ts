import { execa } from 'execa'
import type { Containment } from '../../../domain/session/session-state.ts'
import { findProgram } from './find-program.ts'

/** How the processes of a session are held together: the command that the host puts before its init. */
export type Holding = {
  readonly containment: Containment
  readonly command: readonly string[]
  /** Puts the program in a process group of its own: `kill 0` in it must not reach its host. */
  readonly ownGroup: readonly string[]
}

const PROBE_TIMEOUT_MS = 5_000
const NAMESPACE = ['--pid', '--fork', '--kill-child']
const AS_CURRENT_USER = ['--user', '--map-current-user']

/** The firmest holding that works here, tried for real: containers often forbid namespaces. */
export async function findHolding(wanted: 'auto' | Containment): Promise<Holding> {
  const ownGroup = await findGroupCommand()
  if (wanted !== 'process-group') {
    const command = await findNamespaceCommand()
    if (command !== undefined) return { containment: 'pid-namespace', command, ownGroup }
  }
  if (wanted === 'pid-namespace') throw new Error('PID namespaces cannot be made on this machine')
  return { containment: 'process-group', command: [], ownGroup }
}

async function findGroupCommand(): Promise<readonly string[]> {
  const setsid = await findTool('setsid')
  if (setsid !== undefined) return [setsid]
  const perl = await findTool('perl')
  if (perl !== undefined) return [perl, '-e', 'setpgrp(0, 0); exec { $ARGV[0] } @ARGV; exit 127']
  throw new Error('sessions need the program setsid or perl')
}

async function findNamespaceCommand(): Promise<readonly string[] | undefined> {
  const unshare = await findTool('unshare')
  const setpriv = await findTool('setpriv')
  if (unshare === undefined || (await findTool('setsid')) === undefined) return undefined
  // With setpriv the holder dies with its host, and the namespace with its holder.
  const dieWithHost = setpriv === undefined ? [] : [setpriv, '--pdeathsig', 'KILL']
  const variants = [
    [...NAMESPACE, '--mount-proc'],
    [...AS_CURRENT_USER, ...NAMESPACE, '--mount-proc'],
    // A container that hides parts of its /proc forbids a new one; the namespace holds without it too.
    [...AS_CURRENT_USER, ...NAMESPACE],
  ]
  for (const variant of variants) {
    const command = [...dieWithHost, unshare, ...variant]
    if (await succeeds([...command, '/bin/sh', '-c', 'exit 0'])) return command
  }
  return undefined
}

async function succeeds([program, ...args]: readonly string[]): Promise<boolean> {
  if (program === undefined) return false
  const probe = await execa(program, args, { reject: false, timeout: PROBE_TIMEOUT_MS, stdio: 'ignore' })
  return probe.exitCode === 0
}

async function findTool(name: string): Promise<string | undefined> {
  return await findProgram(name, '/', '/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin')
}
