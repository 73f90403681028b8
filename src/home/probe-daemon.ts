import { join } from 'node:path'
import { connect, type MusterClient } from '../client/index.ts'
import { readDaemonFile, readToken } from './daemon-file.ts'
import { isSameProcess } from './process-identity.ts'

/** The state of the daemon that is registered in a home. */
export type Probe =
  | {
      readonly type: 'ready'
      readonly client: MusterClient
      readonly token: string
      readonly pid: number
      readonly version: string
    }
  /** There is no registration, or a dead daemon left it. */
  | { readonly type: 'absent' }
  /** Its process exists, but doesn't answer, or not yet. */
  | { readonly type: 'unhealthy'; readonly pid: number; readonly problem: string }
  | { readonly type: 'refused'; readonly problem: string }

const ANSWER_LIMIT_MS = 5_000

/** Looks for the daemon of a home. The token is sent only after the process has answered as a Muster daemon. */
export async function probeDaemon(home: string): Promise<Probe> {
  const registered = await readDaemonFile(home)
  if (registered === undefined) return { type: 'absent' }
  const { url, pid, startTime } = registered
  if (!(await isSameProcess(pid, startTime))) return { type: 'absent' }

  const unproven = connect({ url, token: 'none' })
  const health = await unproven.health({ signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
  if (!health.ok) return { type: 'unhealthy', pid, problem: health.failure.message }
  const token = await readToken(join(home, 'token'))
  if (token === undefined) return { type: 'unhealthy', pid, problem: 'it has not written its token yet' }

  const client = connect({ url, token })
  const ready = await client.ready({ signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
  if (ready.ok || ready.failure.type === 'store-unavailable') {
    return { type: 'ready', client, token, pid, version: health.value.version }
  }
  const { status, message } = ready.failure
  return status === 401 ? { type: 'refused', problem: message } : { type: 'unhealthy', pid, problem: message }
}
