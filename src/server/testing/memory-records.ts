import type { Approval } from '../../domain/approval/approval.ts'
import type { Job } from '../../domain/job/job.ts'
import type { JobDocument } from '../../domain/job/job-document.ts'
import type { Session } from '../../domain/session/session.ts'
import type { ApprovalFilter, ApprovalRecords } from '../../ports/store/approval-records.ts'
import type { CandidateRecords } from '../../ports/store/candidate-records.ts'
import type { DocumentRecords } from '../../ports/store/document-records.ts'
import type { JobFilter } from '../../ports/store/job-records.ts'
import type { MessageRecords } from '../../ports/store/message-records.ts'
import type { PageRequest } from '../../ports/store/page.ts'
import type { SessionFilter, SessionRecords } from '../../ports/store/session-records.ts'

const unread = () => Promise.reject(new Error('the server does not ask for this'))

export function createSessionRecords(sessions: ReadonlyMap<string, Session>): SessionRecords {
  const all = () => newestFirst(sessions)
  return {
    insert: unread,
    save: unread,
    saveLife: unread,
    advance: unread,
    addInput: unread,
    pendingInputs: unread,
    lockAdmission: async () => undefined,
    spentBy: async () => 0,
    spentSince: async () => 0,
    find: async (id) => sessions.get(id),
    findMany: async (ids) => ids.flatMap((id) => sessions.get(id) ?? []),
    listLive: async () => all().filter(({ state }) => state.type !== 'terminated'),
    listOfJob: async (jobId) => all().filter((session) => session.jobId === jobId),
    list: async (filter, limit) =>
      all()
        .filter((session) => isChosen(session, filter))
        .slice(0, limit),
  }
}

export function createApprovalRecords(approvals: ReadonlyMap<string, Approval>): ApprovalRecords {
  return {
    insert: unread,
    save: unread,
    find: async (id) => approvals.get(id),
    list: async (filter, limit) =>
      newestFirst(approvals)
        .filter((approval) => isAskedFor(approval, filter))
        .slice(0, limit),
  }
}

/** The jobs that a list shows; they come newest first. */
export function selectJobs(
  jobs: readonly Job[],
  { userId, status }: JobFilter,
  { limit, cursor = '~' }: PageRequest,
): readonly Job[] {
  return jobs
    .filter((job) => userId === undefined || job.userId === userId)
    .filter((job) => status === undefined || job.state.type === status)
    .filter(({ id }) => id < cursor)
    .slice(0, limit)
}

export function createDocumentRecords(documents: readonly JobDocument[]): DocumentRecords {
  return {
    insert: unread,
    takeUp: unread,
    listWaiting: async () => documents.filter(({ cycle }) => cycle === undefined),
    listOf: async (_, kind) => documents.filter((document) => document.kind === kind),
  }
}

export const NO_CANDIDATES: CandidateRecords = {
  insert: unread,
  save: unread,
  find: async () => undefined,
  findMany: async () => [],
  listOpen: async () => [],
  listOfJob: async () => [],
}

export const NO_MESSAGES: MessageRecords = {
  insert: unread,
  save: unread,
  find: unread,
  findByKey: unread,
  findAnswer: unread,
  findLatest: unread,
  countFrom: unread,
  listDue: unread,
  listForEngine: unread,
  listUnread: unread,
  list: async () => [],
}

function newestFirst<Item extends { readonly id: string }>(
  items: ReadonlyMap<string, Item>,
): readonly Item[] {
  return [...items.values()].sort((one, other) => (one.id < other.id ? 1 : -1))
}

function isChosen(session: Session, filter: SessionFilter): boolean {
  const { jobId, agentName, role, purpose, status, isResumable } = filter
  return [
    jobId === undefined || session.jobId === jobId,
    agentName === undefined || session.agentName === agentName,
    role === undefined || session.role === role,
    purpose === undefined || session.purpose.type === purpose,
    status === undefined || status.includes(session.state.type),
    isResumable !== true || session.talk.providerSessionId !== undefined,
  ].every(Boolean)
}

function isAskedFor(approval: Approval, { jobId, sessionId, isPending }: ApprovalFilter): boolean {
  return [
    jobId === undefined || approval.jobId === jobId,
    sessionId === undefined || (approval.asker.type === 'session' && approval.asker.sessionId === sessionId),
    isPending !== true || approval.state.type === 'pending',
  ].every(Boolean)
}
