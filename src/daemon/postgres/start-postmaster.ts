import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Cluster } from './cluster.ts'
import { writeSettings } from './create-cluster.ts'
import { ensureOwnedDirectory } from './owned-files.ts'
import type { PostgresFailure } from './postgres-failure.ts'
import { type ProgramOutcome, runPostgresProgram } from './run-postgres-program.ts'
import { socketPath } from './socket-directory.ts'
import { countFreeBytes, isSystemError } from './system-error.ts'

/** pg_ctl gives up first and lets the server continue its recovery. */
const GRACE_MS = 5_000
/** Less than this is as good as nothing: the server needs a write-ahead segment to start. */
const MIN_FREE_BYTES = 2 ** 20

export type StartOutcome = 'started' | 'busy'

/**
 * Tries once. `busy` means that workers of a killed server still use its memory and will exit soon. The data directory
 * and the log are passed to pg_ctl by environment and descriptor, because it would put arguments into a shell command.
 */
export async function startPostmaster(
  cluster: Cluster,
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Result<StartOutcome, PostgresFailure>> {
  const { account, socketDirectory } = cluster
  // Something that cleans /tmp may have deleted the folder while the server ran.
  const folder = await ensureOwnedDirectory(socketDirectory, {
    uid: account.uid,
    gid: account.gid,
    mode: 0o700,
  })
  if (!folder.ok) return folder
  // Only this cluster uses the folder and its server is gone, so a lock left there names a dead process.
  await rm(`${socketPath(socketDirectory)}.lock`, { force: true })
  await writeSettings(cluster, cluster.places.data)
  await using log = await openPostgresLog(cluster.places.logFile)
  const from = (await log.stat()).size
  const outcome = await runPostgresProgram(account, {
    program: cluster.binaries.pgCtl,
    arguments: ['start', '--silent', '--wait', `--timeout=${Math.ceil(limits.timeoutMs / 1000)}`],
    timeoutMs: limits.timeoutMs + GRACE_MS,
    // The only signal that pg_ctl forwards to the server it is starting.
    stopWith: 'SIGINT',
    signal: limits.signal,
    environment: { PGDATA: cluster.places.data },
    outputTo: log.fd,
  })
  if (outcome.type === 'done') return success('started')
  return nameRefusal(cluster, outcome, { lines: await readLogTail(log, from), waitedMs: limits.timeoutMs })
}

async function nameRefusal(
  cluster: Cluster,
  outcome: Exclude<ProgramOutcome, { type: 'done' }>,
  seen: { readonly lines: readonly string[]; readonly waitedMs: number },
): Promise<Result<StartOutcome, PostgresFailure>> {
  const { data: directory, logFile } = cluster.places
  if (outcome.type === 'timed-out' || seen.lines.some((line) => line.includes('did not start in time'))) {
    return failure({ type: 'timeout', step: 'start', waitedMs: seen.waitedMs, logFile })
  }
  if (outcome.type === 'not-started') {
    const detail = `it could not be started (${outcome.code}).`
    return failure({ type: 'binaries-unusable', path: cluster.binaries.pgCtl, detail })
  }

  const refusal = classifyStartRefusal(seen.lines)
  if (refusal === 'busy') return success('busy')
  // On a full disk, the log may have had no room for the reason either.
  const freeBytes = await countFreeBytes(cluster.places.base)
  if (refusal === 'no-space' || freeBytes < MIN_FREE_BYTES) {
    return failure({ type: 'no-space', directory, freeBytes })
  }
  const type = refusal === 'damaged' ? 'damaged' : 'start-refused'
  return failure({ type, directory, logFile, lastLines: seen.lines })
}

const MAX_LOG_BYTES = 8 * 2 ** 20
const TAIL_BYTES = 16 * 2 ** 10
const TAIL_LINES = 20

/** Opened here and inherited by the server, so its user needs no access to the log folder. */
async function openPostgresLog(path: string): Promise<FileHandle> {
  if ((await sizeOf(path)) > MAX_LOG_BYTES) await rename(path, `${path}.1`)
  return open(path, 'a+', 0o600)
}

/** The last lines written after `from`. */
async function readLogTail(log: FileHandle, from: number): Promise<readonly string[]> {
  const { size } = await log.stat()
  const start = Math.max(from, size - TAIL_BYTES)
  const { buffer, bytesRead } = await log.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, start)
  const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
  return lines.filter((line) => line.trim() !== '').slice(-TAIL_LINES)
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return 0
    throw error
  }
}

type StartRefusal = 'busy' | 'no-space' | 'damaged' | 'refused'

/** Why the server did not start, from its log. Its messages are in English because it runs with LC_ALL=C. */
export function classifyStartRefusal(lines: readonly string[]): StartRefusal {
  const text = lines.join('\n')
  if (/No space left on device|Disk quota exceeded/.test(text)) return 'no-space'
  if (/pre-existing shared memory block|lock file ".+" already exists/.test(text)) return 'busy'
  return DAMAGE.some((sign) => sign.test(text)) ? 'damaged' : 'refused'
}

const DAMAGE = [
  /PANIC:/,
  /could not find the database system/,
  /checksum in control file/,
  /could not (?:locate|read) .*checkpoint/,
  /invalid (?:primary |secondary )?checkpoint/,
  /invalid page in block/,
  /could not (?:read|open|access|stat) (?:file|directory) "(?:\.\/)?(?:global|base|pg_wal|pg_xact|pg_multixact|pg_\w+)\b/,
  /is not a valid data directory/,
  /could not open (?:file|directory) .*: No such file or directory/,
]
