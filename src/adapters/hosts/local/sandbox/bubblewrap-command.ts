import { dirname } from 'node:path'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { SandboxPolicy } from '../../../../domain/session/sandbox-policy.ts'
import type { BubblewrapMethod } from '../containment-method.ts'
import { findNamed } from './find-named.ts'
import type { Overcrowded } from './limit-places.ts'
import { isBelow, type MountRule, planMounts } from './plan-mounts.ts'
import { type TracedPath, tracePath } from './trace-path.ts'

type Enclosure = {
  readonly policy: SandboxPolicy
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  /** Files that the host itself reads inside the sandbox. */
  readonly ownFiles: readonly string[]
}

/**
 * The capabilities that root keeps: those for working with files, and none that could change mounts or the machine.
 * SETFCAP is for agents with their own sandbox, because root can't create a user namespace without it.
 */
const KEPT_BY_ROOT = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'SETFCAP', 'SETGID', 'SETUID']
/** Settings of the whole machine, which bubblewrap would leave writable for root. */
const SYSTEM_SETTINGS = ['/proc/sys', '/proc/irq', '/proc/bus', '/proc/fs']
/** Contains the sockets of other programs, such as Docker. A program can connect to a socket on a read-only mount. */
const SOCKETS = '/run'
/** What programs still need from /run: the system paths of NixOS. Name resolution is added by `findResolver`. */
const NEEDED_SYSTEM_PATHS = ['/run/current-system', '/run/wrappers']
const PRIVATE_TEMPORARY = '/tmp'
/** What `bubblewrapBase` replaces. A directory in one of them, such as in /dev/shm, is seen only if it is mounted again. */
const REPLACED = [PRIVATE_TEMPORARY, '/dev']
const TEMPORARY_VARIABLES = ['TMPDIR', 'TMP', 'TEMP']

/**
 * The options for every session: its own processes, /tmp and devices, and everything else read-only. The first process
 * inside is the host's init, as in a plain PID namespace, so that both are stopped in the same way.
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

/**
 * The command in front of the program that shows a session only what its policy allows. Fails if that takes more mounts
 * than bubblewrap can make.
 */
export async function bubblewrapCommand(
  method: BubblewrapMethod,
  enclosure: Enclosure,
): Promise<Result<readonly string[], string>> {
  const { policy, cwd, environment } = enclosure
  const [places, readable, writable] = await Promise.all([
    traceAll([SOCKETS, ...policy.hidden]),
    traceAll([...NEEDED_SYSTEM_PATHS, ...(await findResolver()), ...enclosure.ownFiles, ...policy.readable]),
    traceAll(policy.writable),
  ])
  const named = await traceNamed(policy, [...places, ...writable])
  if (!named.ok) return failure(overcrowdedWords(named.failure))
  const hidden = [...places, ...named.value]
  const rules: readonly MountRule[] = [
    ...hidden.map(({ path, isDirectory }) => ({ type: 'hidden', path, isDirectory }) as const),
    ...readable.map(({ path }) => ({ type: 'readable', path }) as const),
    ...writable.map(({ path }) => ({ type: 'writable', path }) as const),
    ...[...readable, ...writable].flatMap(({ links }) =>
      links.map((link) => ({ type: 'link', ...link }) as const),
    ),
  ]
  return success([
    ...method.command,
    ...BUBBLEWRAP_NETWORK[policy.network],
    ...planMounts(withoutRepeats(rules), REPLACED),
    ...(await redirectTemporary(environment, writable)),
    ...['--chdir', cwd],
  ])
}

function overcrowdedWords({ directory, count }: Overcrowded): string {
  return `${directory} contains ${count} files or directories to hide, more than bubblewrap can hide one by one; move those that look like keys or logins elsewhere, or remove that directory from PATH and from \`sandbox.readable\``
}

/** Points variables for temporary files to the private /tmp if their own directory is not writable inside. */
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

/** Returns the directory of resolv.conf, because the file is replaced whenever the network changes. */
async function findResolver(): Promise<readonly string[]> {
  const resolver = await tracePath('/etc/resolv.conf')
  if (resolver === undefined) return []
  const directory = dirname(resolver.path)
  return [directory === SOCKETS ? resolver.path : directory]
}

/** Finds what is hidden for its name. What is hidden anyway, or is the session's own, isn't looked at. */
async function traceNamed(
  { hiddenNames }: SandboxPolicy,
  except: readonly TracedPath[],
): Promise<Result<readonly TracedPath[], Overcrowded>> {
  if (hiddenNames === undefined) return success([])
  const found = await findNamed(
    hiddenNames,
    except.map(({ path }) => path),
  )
  return found.ok ? success(await traceAll(found.value)) : found
}

async function traceAll(paths: readonly string[]): Promise<readonly TracedPath[]> {
  const traced = await Promise.all(paths.map(tracePath))
  return traced.filter((path) => path !== undefined)
}

function withoutRepeats(rules: readonly MountRule[]): readonly MountRule[] {
  return [...new Map(rules.map((rule) => [`${rule.type} ${rule.path}`, rule])).values()]
}
