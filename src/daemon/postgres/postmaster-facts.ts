import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cluster } from './cluster.ts'
import { PID_FILE } from './postgres-places.ts'
import { type PostmasterFacts, type ProcessFacts, parsePidFile } from './postmaster-verdict.ts'
import { runPostgresProgram } from './run-postgres-program.ts'
import { isSystemError } from './system-error.ts'

const STAT_TIMEOUT_MS = 5_000

export async function readPostmasterFacts(cluster: Cluster): Promise<PostmasterFacts> {
  const path = pidFilePath(cluster)
  try {
    const text = await readFile(path, 'utf8')
    const file = parsePidFile(text)
    if (file === undefined) {
      return { type: 'unreadable-file', ageMs: Date.now() - (await stat(path)).mtimeMs }
    }
    return {
      type: 'file',
      file,
      process: await readProcess(cluster, file.pid),
      dataDirectory: await identify(cluster.places.data),
    }
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return { type: 'no-file' }
    throw error
  }
}

export async function removePidFile(cluster: Cluster): Promise<void> {
  await rm(pidFilePath(cluster), { force: true })
}

function pidFilePath(cluster: Cluster): string {
  return join(cluster.places.data, PID_FILE)
}

async function readProcess(cluster: Cluster, pid: number): Promise<ProcessFacts> {
  if (process.platform !== 'linux') return isAlive(pid) ? { type: 'unknown' } : { type: 'gone' }
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8')
    const command = status.slice(status.indexOf('(') + 1, status.lastIndexOf(')'))
    const state = status.at(status.lastIndexOf(')') + 2)
    // A dead server stays in the process table until process 1 reaps it, and in some containers nothing does.
    if (state === 'Z' || state === 'X') return { type: 'zombie' }
    const cwd = await readWorkingDirectory(cluster, pid)
    return { type: 'alive', command, ...(cwd === undefined ? {} : { cwd }) }
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ESRCH')) return { type: 'gone' }
    throw error
  }
}

/** A directory may have several paths, if it is mounted twice. Its device and inode are the same in all of them. */
async function identify(directory: string): Promise<string> {
  const { dev, ino } = await stat(directory, { bigint: true })
  return `${dev}:${ino}`
}

/** Whether both paths lead to one directory. */
export async function isSameDirectory(first: string, second: string): Promise<boolean> {
  if (first === second) return true
  const [one, other] = await Promise.all([first, second].map((path) => identify(path).catch(() => undefined)))
  return one !== undefined && one === other
}

/** Root in a container may not be allowed to inspect other users' processes; that user itself always is. */
async function readWorkingDirectory(cluster: Cluster, pid: number): Promise<string | undefined> {
  const link = `/proc/${pid}/cwd`
  try {
    return await identify(link)
  } catch (error) {
    if (!isSystemError(error, 'EACCES', 'EPERM')) throw error
  }
  const outcome = await runPostgresProgram(cluster.account, {
    program: 'stat',
    arguments: ['-L', '-c', '%d:%i', link],
    timeoutMs: STAT_TIMEOUT_MS,
  })
  return outcome.type === 'done' ? outcome.output.trim() : undefined
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return isSystemError(error, 'EPERM')
  }
}
