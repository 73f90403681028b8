import { readFile, readlink, realpath, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cluster } from './cluster.ts'
import { type PostmasterFacts, type ProcessFacts, parsePidFile } from './postmaster-verdict.ts'
import { runPostgresProgram } from './run-postgres-program.ts'
import { isSystemError } from './system-error.ts'

const READLINK_TIMEOUT_MS = 5_000

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
      dataDirectory: await realpath(cluster.places.data),
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
  return join(cluster.places.data, 'postmaster.pid')
}

async function readProcess(cluster: Cluster, pid: number): Promise<ProcessFacts> {
  if (process.platform !== 'linux') return isAlive(pid) ? { type: 'unknown' } : { type: 'gone' }
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8')
    const command = status.slice(status.indexOf('(') + 1, status.lastIndexOf(')'))
    const state = status.at(status.lastIndexOf(')') + 2)
    // A dead server stays in the process table until process 1 collects it, and some containers have none that does.
    if (state === 'Z' || state === 'X') return { type: 'zombie' }
    const cwd = await readWorkingDirectory(cluster, pid)
    return { type: 'alive', command, ...(cwd === undefined ? {} : { cwd }) }
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ESRCH')) return { type: 'gone' }
    throw error
  }
}

/** Root in a container may lack the right to look at other users' processes; that user itself always may. */
async function readWorkingDirectory(cluster: Cluster, pid: number): Promise<string | undefined> {
  const link = `/proc/${pid}/cwd`
  try {
    return await readlink(link)
  } catch (error) {
    if (!isSystemError(error, 'EACCES', 'EPERM')) throw error
  }
  const outcome = await runPostgresProgram(cluster.account, {
    program: 'readlink',
    arguments: ['-n', link],
    timeoutMs: READLINK_TIMEOUT_MS,
  })
  return outcome.type === 'done' ? outcome.output : undefined
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return isSystemError(error, 'EPERM')
  }
}
