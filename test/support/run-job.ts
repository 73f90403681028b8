import type { MusterClient, WireJob, WireStartJobRequest, WireTask } from '../../src/client/index.ts'
import { take } from './take.ts'
import { waitForJob } from './test-daemon.ts'
import type { TestRepository } from './test-repository.ts'

/** Starts a job on a repository and returns its id. */
export async function startJob(
  client: MusterClient,
  repository: Pick<TestRepository, 'path'>,
  request: Partial<WireStartJobRequest> = {},
): Promise<string> {
  const goal = { repositoryPath: repository.path, requestDocument: 'Do the tasks.' }
  return take(await client.startJob({ ...goal, ...request })).id
}

/** Starts a job on a repository and returns it when it has ended. */
export async function runJob(
  client: MusterClient,
  repository: Pick<TestRepository, 'path'>,
  request: Partial<WireStartJobRequest> = {},
): Promise<WireJob> {
  return await waitForJob(client, await startJob(client, repository, request))
}

/** The tasks of a job, in the order of their numbers. */
export async function tasksOf(client: MusterClient, jobId: string): Promise<readonly WireTask[]> {
  const { items } = take(await client.listTasks({ job: jobId }))
  return items.toSorted((one, other) => one.cycleNumber - other.cycleNumber || one.number - other.number)
}
