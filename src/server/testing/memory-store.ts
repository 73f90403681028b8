import type { Approval } from '../../domain/approval/approval.ts'
import type { ApprovalId, JobId, SessionId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Store } from '../../ports/store/store.ts'
import {
  createApprovalRecords,
  createDocumentRecords,
  createSessionRecords,
  NO_CANDIDATES,
  NO_MESSAGES,
  selectJobs,
} from './memory-records.ts'
import {
  sampleAttempt,
  sampleCycle,
  sampleDocument,
  sampleJob,
  sampleLanding,
  sampleProject,
  sampleSession,
  sampleTask,
} from './sample-records.ts'

export type MemoryStore = Store & {
  putJob(job: Job): void
  putSession(session: Session): void
  putApproval(approval: Approval): void
  /** Makes every read of jobs throw this from now on. */
  breakWith(error: Error): void
}

const tasks = [sampleTask(1), sampleTask(2), sampleTask(3)]

/** Enough of a store to be read from: one job with one of everything. */
export function createMemoryStore(): MemoryStore {
  const jobs = new Map<JobId, Job>([[sampleJob().id, sampleJob()]])
  const sessions = new Map<SessionId, Session>([[sampleSession().id, sampleSession()]])
  const approvals = new Map<ApprovalId, Approval>()
  let breakage: Error | undefined
  const all = async (): Promise<Job[]> => {
    if (breakage !== undefined) throw breakage
    return [...jobs.values()].sort((one, other) => (one.id < other.id ? 1 : -1))
  }
  const unread = () => Promise.reject(new Error('the server does not ask for this'))
  const writes = { insert: unread, save: unread }
  return {
    putJob: (job) => jobs.set(job.id, job),
    putSession: (session) => sessions.set(session.id, session),
    putApproval: (approval) => approvals.set(approval.id, approval),
    breakWith(error) {
      breakage = error
    },
    transact: unread,
    withJob: unread,
    read: {
      projects: { ensure: unread, find: async () => sampleProject, list: async () => [sampleProject] },
      jobs: {
        ...writes,
        findByKey: unread,
        find: async (id) => (await all()).find((job) => job.id === id),
        list: async (filter, page) => selectJobs(await all(), filter, page),
        listOpen: all,
      },
      cycles: {
        ...writes,
        find: async () => sampleCycle,
        findNumber: async (_, number) => (number === 1 ? sampleCycle : undefined),
        listOf: async () => [sampleCycle],
      },
      tasks: {
        insertAll: unread,
        save: unread,
        find: async (id) => tasks.find((task) => task.id === id),
        findMany: async (ids) => tasks.filter((task) => ids.includes(task.id)),
        listOfCycle: async () => tasks,
        listOfJob: async () => tasks,
        listRecent: async (limit) => tasks.toReversed().slice(0, limit),
      },
      attempts: {
        ...writes,
        find: async () => sampleAttempt,
        findMany: async () => [sampleAttempt],
        listOfTask: async () => [sampleAttempt],
        listOfTasks: async () => [sampleAttempt],
        listOfDiscovery: async () => [],
        listUnsettled: async () => [],
      },
      sessions: createSessionRecords(sessions),
      approvals: createApprovalRecords(approvals),
      messages: NO_MESSAGES,
      note: unread,
      candidates: NO_CANDIDATES,
      documents: createDocumentRecords([sampleDocument()]),
      landings: {
        ...writes,
        find: async () => sampleLanding,
        findMany: async () => [sampleLanding],
        listOpen: async () => [],
        listOfTask: async () => [sampleLanding],
        listOfJob: async () => [sampleLanding],
      },
    },
  }
}
