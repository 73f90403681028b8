import type { MusterClient } from '../../client/index.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { readDaemonFile } from '../../home/daemon-file.ts'
import { watchDirectory } from '../../home/directory-changes.ts'
import { isSameProcess } from '../../home/process-identity.ts'
import { apiProblem } from '../api-problem.ts'
import { EXIT } from '../exit-code.ts'
import type { Problem } from '../problem.ts'

const STOP_LIMIT_MS = 30_000
const RETRY_MS = 100

/** Asks a daemon to stop and waits until its process has exited. Never sends a signal. */
export async function stopDaemon(
  home: string,
  client: MusterClient,
  pid: number,
): Promise<Result<void, Problem>> {
  const registered = await readDaemonFile(home)
  const asked = await client.shutdown()
  if (!asked.ok) return failure(apiProblem(asked.failure))
  using changes = watchDirectory(home)
  const deadline = Date.now() + STOP_LIMIT_MS
  while (Date.now() < deadline) {
    if (!(await isSameProcess(pid, registered?.startTime))) return success(undefined)
    await changes.next(RETRY_MS)
  }
  return failure({
    type: 'daemon-lingers',
    exitCode: EXIT.failed,
    message: `the daemon (process ${pid}) was asked to stop, but is still running after ${STOP_LIMIT_MS / 1000} s`,
    next: 'muster shutdown, which ends a daemon that does not answer any more',
  })
}
