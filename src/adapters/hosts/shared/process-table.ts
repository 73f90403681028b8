import { readdir } from 'node:fs/promises'
import { execa } from 'execa'
import { readIfPresent } from './read-if-present.ts'

/** Identifies a process forever. PIDs are reused, but a PID together with its start time is not. */
export type ProcessIdentity = { readonly pid: number; readonly startTime: string }

/** Queries the kernel about processes. Contract: changes nothing and doesn't throw if a process has ended. */
export interface ProcessTable {
  isAlive(identity: ProcessIdentity): Promise<boolean>
  childrenOf(pid: number): Promise<readonly number[]>
  /** Whether the process was started before the machine's last boot. */
  isFromEarlierBoot(identity: ProcessIdentity): boolean
}

export async function createProcessTable(): Promise<ProcessTable> {
  const boot = await readIfPresent('/proc/sys/kernel/random/boot_id')
  return boot === undefined ? createPsTable() : createProcTable(boot.trim())
}

/** Start times in /proc count from boot, so an identity also contains the boot id. */
function createProcTable(boot: string): ProcessTable {
  return {
    async isAlive({ pid, startTime }) {
      const fields = await statFields(pid)
      // A zombie runs nothing. In a container without an init process, it may stay forever.
      if (fields === undefined || fields[0] === 'Z' || fields[0] === 'X') return false
      return `${fields[19]}@${boot}` === startTime
    },
    async childrenOf(pid) {
      const children = await readIfPresent(`/proc/${pid}/task/${pid}/children`)
      if (children !== undefined) return children.split(' ').filter(Boolean).map(Number)
      return await findChildren(pid)
    },
    isFromEarlierBoot({ startTime }) {
      return !startTime.endsWith(`@${boot}`)
    },
  }
}

/** The fields of /proc/<pid>/stat after the name, which may contain spaces and parentheses. */
async function statFields(pid: number): Promise<readonly string[] | undefined> {
  const stat = await readIfPresent(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** For kernels that don't list the children of a process. */
async function findChildren(parent: number): Promise<readonly number[]> {
  const children: number[] = []
  for (const name of await readdir('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    const fields = await statFields(pid)
    if (fields !== undefined && Number(fields[1]) === parent) children.push(pid)
  }
  return children
}

/** On systems without /proc, the start time is a date and needs no boot id. */
function createPsTable(): ProcessTable {
  return {
    async isAlive({ pid, startTime }) {
      const [state, ...start] = await ps(['-o', 'stat=,lstart=', '-p', String(pid)])
      return state !== undefined && !state.startsWith('Z') && start.join('-') === startTime
    },
    async childrenOf(pid) {
      const words = await ps(['-axo', 'ppid=,pid='])
      return words.filter((_, index) => index % 2 === 1 && words[index - 1] === String(pid)).map(Number)
    },
    isFromEarlierBoot() {
      return false
    },
  }
}

async function ps(options: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await execa('/bin/ps', options, {
    reject: false,
    timeout: 10_000,
    stdin: 'ignore',
    env: { LC_ALL: 'C', TZ: 'UTC' },
  })
  return stdout?.split(/\s+/).filter(Boolean) ?? []
}
