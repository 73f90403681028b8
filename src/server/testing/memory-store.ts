import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Store } from '../../ports/store/store.ts'
import {
  sampleAttempt,
  sampleCycle,
  sampleJob,
  sampleLanding,
  sampleProject,
  sampleSession,
  sampleTask,
} from './sample-records.ts'

export type MemoryStore = Store & {
  putJob(job: Job): void
  /** Makes every read of jobs throw this from now on. */
  breakWith(error: Error): void
}

const tasks = [sampleTask(1), sampleTask(2), sampleTask(3)]

/** Enough of a store to be read from: one job with one of everything. */
export function createMemoryStore(): MemoryStore {
  const jobs = new Map<JobId, Job>([[sampleJob().id, sampleJob()]])
  let breakage: Error | undefined
  const all = async (): Promise<Job[]> => {
    if (breakage !== undefined) throw breakage
    return [...jobs.values()].sort((one, other) => (one.id < other.id ? 1 : -1))
  }
  const unread = () => Promise.reject(new Error('the server does not ask for this'))
  const writes = { insert: unread, save: unread }
  return {
    putJob: (job) => jobs.set(job.id, job),
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
        list: async ({ limit, cursor = '~' }) =>
          (await all()).filter(({ id }) => id < cursor).slice(0, limit),
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
        listOfCycle: async () => tasks,
        listOfJob: async () => tasks,
        listRecent: async (limit) => tasks.toReversed().slice(0, limit),
      },
      attempts: {
        ...writes,
        find: async () => sampleAttempt,
        listOfTask: async () => [sampleAttempt],
        listOfDiscovery: async () => [],
        listUnsettled: async () => [],
      },
      sessions: {
        ...writes,
        advance: unread,
        find: async (id) => (id === sampleSession.id ? sampleSession : undefined),
        listLive: async () => [sampleSession],
        listOfJob: async () => [sampleSession],
        listRecent: async () => [sampleSession],
      },
      landings: {
        ...writes,
        find: async () => sampleLanding,
        listOpen: async () => [],
        listOfTask: async () => [sampleLanding],
        listOfJob: async () => [sampleLanding],
      },
    },
  }
}
