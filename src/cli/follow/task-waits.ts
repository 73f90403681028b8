import type {
  MusterClient,
  WireApproval,
  WireJob,
  WireSession,
  WireStartWait,
  WireTask,
} from '../../client/index.ts'
import { PAGE_LIMIT } from '../../client/read-all.ts'

/** What a task is waiting for. */
export type TaskWait =
  | { readonly type: 'approval'; readonly approvalId: string }
  /** Its work passed the checks and lands once a person approves it. */
  | { readonly type: 'landing-approval'; readonly approvalId: string }
  | { readonly type: 'quota'; readonly until?: string | undefined }
  | { readonly type: 'suspended'; readonly sessionId: string; readonly why?: string }
  /** A limit prevents its next session from starting. */
  | ({ readonly type: 'start' } & WireStartWait)

export type TaskWaits = ReadonlyMap<string, TaskWait>

const OPEN: readonly WireTask['status'][] = ['pending', 'running', 'review']

/** Reads what the open tasks of a job are waiting for; empty if the daemon doesn't answer. */
export async function readTaskWaits(
  client: MusterClient,
  job: Pick<WireJob, 'id' | 'status'>,
  tasks: readonly WireTask[],
): Promise<TaskWaits> {
  const open = tasks.filter(({ status }) => OPEN.includes(status))
  if (job.status !== 'running' || open.length === 0) return new Map()
  const [status, approvals] = await Promise.all([
    client.status(),
    client.listApprovals({ job: job.id, limit: PAGE_LIMIT }),
  ])
  if (!status.ok || !approvals.ok) return new Map()
  const sessions = status.value.sessions.filter(({ jobId }) => jobId === job.id)
  const found = open.map((task) => [task.id, waitOf(task, sessions, approvals.value.items)] as const)
  return new Map(found.flatMap(([id, wait]) => (wait === undefined ? [] : [[id, wait]])))
}

function waitOf(
  task: WireTask,
  sessions: readonly WireSession[],
  approvals: readonly WireApproval[],
): TaskWait | undefined {
  const session = sessions.find(({ taskId }) => taskId === task.id)
  const waiting = task.waiting ?? session?.waiting
  if (waiting !== undefined) return { type: 'start', ...waiting }
  if (session === undefined) return undefined
  const { suspended, id } = session
  if (suspended === undefined) return askedFor(id, approvals)
  if (suspended.isResuming) return undefined
  if (suspended.why === 'limited') return { type: 'quota', until: suspended.until }
  const { reason, remedy } = suspended
  const why = reason === undefined || remedy === undefined ? {} : { why: `${reason}. ${remedy}` }
  return { type: 'suspended', sessionId: id, ...why }
}

/** The oldest pending approval of a session. */
function askedFor(session: string, approvals: readonly WireApproval[]): TaskWait | undefined {
  const approval = approvals.findLast(
    ({ sessionId, status }) => sessionId === session && status === 'pending',
  )
  return approval === undefined ? undefined : { type: 'approval', approvalId: approval.id }
}
