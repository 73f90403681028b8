import type { MusterClient, WireApproval, WireJob, WireSession, WireTask } from '../../client/index.ts'

/** Why a task does not get on at this moment. */
export type TaskWait =
  | { readonly type: 'approval'; readonly approvalId: string }
  | { readonly type: 'quota'; readonly until?: string | undefined }
  | { readonly type: 'suspended'; readonly sessionId: string }
  /** Nobody works on it yet, and whoever would is out of quota. */
  | { readonly type: 'agent-limited'; readonly agent: string; readonly until?: string | undefined }

export type TaskWaits = ReadonlyMap<string, TaskWait>

const PAGE = 200

/** What the open tasks of a job wait for; none where the daemon does not tell. */
export async function readTaskWaits(
  client: MusterClient,
  job: Pick<WireJob, 'id' | 'status' | 'worker'>,
  tasks: readonly WireTask[],
): Promise<TaskWaits> {
  const open = tasks.filter(({ status }) => status === 'running' || status === 'pending')
  if (job.status !== 'running' || open.length === 0) return new Map()
  const [status, approvals] = await Promise.all([
    client.status(),
    client.listApprovals({ job: job.id, limit: PAGE }),
  ])
  if (!status.ok || !approvals.ok) return new Map()
  const sessions = status.value.sessions.filter(({ jobId }) => jobId === job.id)
  const found = open.map(
    (task) => [task.id, waitOf(task, job.worker, sessions, approvals.value.items)] as const,
  )
  return new Map(found.flatMap(([id, wait]) => (wait === undefined ? [] : [[id, wait]])))
}

function waitOf(
  task: WireTask,
  worker: string,
  sessions: readonly WireSession[],
  approvals: readonly WireApproval[],
): TaskWait | undefined {
  if (task.status === 'pending') return limitedAgent(task.agent ?? worker, sessions)
  const session = sessions.find(({ taskId }) => taskId === task.id)
  if (session === undefined) return undefined
  const { suspended, id } = session
  if (suspended === undefined) return askedFor(id, approvals)
  if (suspended.isResuming) return undefined
  if (suspended.why === 'limited') return { type: 'quota', until: suspended.until }
  return { type: 'suspended', sessionId: id }
}

/** The one that waits longest is decided on first. */
function askedFor(session: string, approvals: readonly WireApproval[]): TaskWait | undefined {
  const approval = approvals.findLast(
    ({ sessionId, status }) => sessionId === session && status === 'pending',
  )
  return approval === undefined ? undefined : { type: 'approval', approvalId: approval.id }
}

function limitedAgent(name: string, sessions: readonly WireSession[]): TaskWait | undefined {
  const limited = sessions.find(({ agent, suspended }) => agent === name && suspended?.why === 'limited')
  if (limited === undefined) return undefined
  return { type: 'agent-limited', agent: name, until: limited.suspended?.until }
}
