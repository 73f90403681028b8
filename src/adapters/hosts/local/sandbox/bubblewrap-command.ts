import { dirname } from 'node:path'
import type { SandboxPolicy } from '../../../../domain/session/sandbox-policy.ts'
import type { BubblewrapHolding } from '../holding.ts'
import { isBelow } from './is-below.ts'
import { type MountRule, planMounts } from './plan-mounts.ts'
import { type TracedPath, tracePath } from './trace-path.ts'

type Enclosure = {
  readonly policy: SandboxPolicy
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  /** What the host itself needs to read inside. */
  readonly ownFiles: readonly string[]
}

/**
 * What root keeps: to work on files as root does, and nothing that could change mounts or the machine. SETFCAP is
 * for agents with a sandbox of their own: root may not make a user namespace without it.
 */
const KEPT_BY_ROOT = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'SETFCAP', 'SETGID', 'SETUID']
/** What root could set for the whole machine; bubblewrap leaves them writable to root below their directories. */
const SYSTEM_SETTINGS = ['/proc/sys', '/proc/irq', '/proc/bus', '/proc/fs']
/** Sockets of other programs live here, Docker's among them: they can be connected to though not written. */
const SOCKETS = '/run'
/** What programs need of it all the same: name resolution is added where it is, system paths of NixOS here. */
const NEEDED_SYSTEM_PATHS = ['/run/current-system', '/run/wrappers']
const PRIVATE_TEMPORARY = '/tmp'
const TEMPORARY_VARIABLES = ['TMPDIR', 'TMP', 'TEMP']

/**
 * What every session has: processes, a /tmp and devices of its own, all else to be read only. The first process
 * inside is the host's init, as in a bare PID namespace, so that stopping is the same for both.
 */
export function bubblewrapBase(isRoot: boolean): readonly string[] {
  return [
    ...['--unshare-pid', '--as-pid-1', '--unshare-ipc', '--die-with-parent', '--cap-drop', 'ALL'],
    ...(isRoot ? KEPT_BY_ROOT.flatMap((name) => ['--cap-add', `CAP_${name}`]) : []),
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...(isRoot ? SYSTEM_SETTINGS.flatMap((path) => ['--ro-bind-try', path, path]) : []),
    ...['--perms', '1777', '--tmpfs', PRIVATE_TEMPORARY],
  ]
}

export const BUBBLEWRAP_NETWORK = { allow: [], deny: ['--unshare-net'] } as const

/** The command, up to the program, that shows a session only what its policy allows. */
export async function bubblewrapCommand(
  holding: BubblewrapHolding,
  enclosure: Enclosure,
): Promise<readonly string[]> {
  const { policy, cwd, environment } = enclosure
  const [hidden, readable, writable] = await Promise.all([
    traceAll([SOCKETS, ...policy.hidden]),
    traceAll([...NEEDED_SYSTEM_PATHS, ...(await findResolver()), ...enclosure.ownFiles, ...policy.readable]),
    traceAll(policy.writable),
  ])
  const rules: readonly MountRule[] = [
    ...hidden.map(({ path, isDirectory }) => ({ type: 'hidden', path, isDirectory }) as const),
    ...readable.map(({ path }) => ({ type: 'readable', path }) as const),
    ...writable.map(({ path }) => ({ type: 'writable', path }) as const),
    ...[...readable, ...writable].flatMap(({ links }) =>
      links.map((link) => ({ type: 'link', ...link }) as const),
    ),
  ]
  return [
    ...holding.command,
    ...BUBBLEWRAP_NETWORK[policy.network],
    ...planMounts(withoutRepeats(rules), [PRIVATE_TEMPORARY]),
    ...(await redirectTemporary(environment, writable)),
    ...['--chdir', cwd],
  ]
}

/** Variables that point to a place for temporary files which is not writable inside are turned to the private one. */
async function redirectTemporary(
  environment: Readonly<Record<string, string>>,
  writable: readonly TracedPath[],
): Promise<readonly string[]> {
  const options: string[] = []
  for (const name of TEMPORARY_VARIABLES) {
    const value = environment[name]
    if (value === undefined) continue
    const place = await tracePath(value)
    const isWritable = writable.some(({ path }) => place !== undefined && isBelow(place.path, path))
    if (!isWritable) options.push('--setenv', name, PRIVATE_TEMPORARY)
  }
  return options
}

/** By its directory, because the file is replaced rather than changed when the network changes. */
async function findResolver(): Promise<readonly string[]> {
  const resolver = await tracePath('/etc/resolv.conf')
  if (resolver === undefined) return []
  const directory = dirname(resolver.path)
  return [directory === SOCKETS ? resolver.path : directory]
}

async function traceAll(paths: readonly string[]): Promise<readonly TracedPath[]> {
  const traced = await Promise.all(paths.map(tracePath))
  return traced.filter((path) => path !== undefined)
}

function withoutRepeats(rules: readonly MountRule[]): readonly MountRule[] {
  return [...new Map(rules.map((rule) => [`${rule.type} ${rule.path}`, rule])).values()]
}
