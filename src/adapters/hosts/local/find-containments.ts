import { execa } from 'execa'
import { failure, type Result, success } from '../../../domain/result.ts'
import { findProgram } from '../../shared/find-program.ts'
import type { ContainmentMethod, ContainmentMethods } from './containment-method.ts'
import { BUBBLEWRAP_NETWORK, bubblewrapBase } from './sandbox/bubblewrap-command.ts'

const PROBE_TIMEOUT_MS = 5_000
export const NO_PROGRAM = ['/bin/sh', '-c', 'exit 0']
const NAMESPACE = ['--pid', '--fork', '--kill-child']
const AS_CURRENT_USER = ['--user', '--map-current-user']

/** Finds the methods that work here by trying them, because containers and hardened kernels often forbid namespaces. */
export async function findContainments(): Promise<ContainmentMethods> {
  const [ownGroup, prlimit, bubblewrap, namespace] = await Promise.all([
    findGroupCommand(),
    findTool('prlimit'),
    findBubblewrap(),
    findNamespace(),
  ])
  const tried = [bubblewrap, namespace]
  return {
    working: [
      ...tried.flatMap((method) => (method.ok ? [method.value] : [])),
      { containment: 'process-group' },
    ],
    problems: {
      ...(bubblewrap.ok ? {} : { bubblewrap: bubblewrap.failure }),
      ...(namespace.ok ? {} : { 'pid-namespace': namespace.failure }),
    },
    ownGroup,
    ...(prlimit === undefined ? {} : { prlimit }),
  }
}

async function findBubblewrap(): Promise<Result<ContainmentMethod, string>> {
  const bwrap = await findTool('bwrap')
  if (bwrap === undefined) return failure('bubblewrap is not installed; on Debian: apt install bubblewrap')
  const isRoot = process.getuid?.() === 0
  let problem = ''
  // Root in a container may not be allowed to create namespaces, except inside a user namespace.
  for (const users of [[], ['--unshare-user']]) {
    const command = [bwrap, ...users, ...bubblewrapBase(isRoot)]
    const [plain, offline] = await Promise.all([
      probe([...command, ...NO_PROGRAM]),
      probe([...command, ...BUBBLEWRAP_NETWORK.deny, ...NO_PROGRAM]),
    ])
    if (plain.ok) {
      const hasOwnUsers = users.length > 0 || !isRoot
      return success({ containment: 'bubblewrap', command, canDenyNetwork: offline.ok, hasOwnUsers })
    }
    problem = plain.failure
  }
  return failure(`bubblewrap is installed but does not work: ${problem}`)
}

async function findNamespace(): Promise<Result<ContainmentMethod, string>> {
  const [unshare, setpriv, setsid] = await Promise.all(['unshare', 'setpriv', 'setsid'].map(findTool))
  if (unshare === undefined || setsid === undefined) {
    return failure('the programs unshare and setsid are missing; on Debian: apt install util-linux')
  }
  // With setpriv, the holder dies with its host, and the namespace dies with its holder.
  const dieWithHost = setpriv === undefined ? [] : [setpriv, '--pdeathsig', 'KILL']
  const variants = [
    [...NAMESPACE, '--mount-proc'],
    [...AS_CURRENT_USER, ...NAMESPACE, '--mount-proc'],
    // A container that hides parts of its /proc doesn't allow a new one. The namespace works without it too.
    [...AS_CURRENT_USER, ...NAMESPACE],
  ]
  let problem = ''
  for (const variant of variants) {
    const command = [...dieWithHost, unshare, ...variant]
    const probed = await probe([...command, ...NO_PROGRAM])
    const hasOwnUsers = variant.includes('--user')
    if (probed.ok) return success({ containment: 'pid-namespace', command, hasOwnUsers })
    problem = probed.failure
  }
  return failure(`PID namespaces do not work on this machine: ${problem}`)
}

async function findGroupCommand(): Promise<readonly string[]> {
  const setsid = await findTool('setsid')
  if (setsid !== undefined) return [setsid]
  const perl = await findTool('perl')
  if (perl !== undefined) return [perl, '-e', 'setpgrp(0, 0); exec { $ARGV[0] } @ARGV; exit 127']
  throw new Error('Muster needs the program setsid or perl to run sessions')
}

/** Runs a command, which says nothing if it works. */
export async function probe(
  [program = '', ...args]: readonly string[],
  timeoutMs = PROBE_TIMEOUT_MS,
): Promise<Result<void, string>> {
  const probed = await execa(program, args, {
    reject: false,
    timeout: timeoutMs,
    stdin: 'ignore',
    stdout: 'ignore',
    maxBuffer: 10_000,
  })
  if (probed.exitCode === 0) return success(undefined)
  return failure(
    probed.stderr.split('\n')[0] || (probed.timedOut ? 'it timed out' : 'it failed without a message'),
  )
}

async function findTool(name: string): Promise<string | undefined> {
  return await findProgram(name, '/', '/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin')
}
