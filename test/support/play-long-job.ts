import { expect } from 'vitest'
import type { MusterClient, WireJob, WireTaskDetail } from '../../src/client/index.ts'
import { auditLandings } from './audit-landings.ts'
import { longJobFaults } from './long-job.ts'
import type { TestDaemon } from './test-daemon.ts'
import type { TestRepository } from './test-repository.ts'

export async function startLongJob(daemon: TestDaemon, repository: TestRepository): Promise<string> {
  const started = await daemon.client.startJob({
    repositoryPath: repository.path,
    requestDocument: 'Build a house with a flag on its roof.',
  })
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  return started.value.id
}

async function detailsOf(client: MusterClient, jobId: string): Promise<readonly WireTaskDetail[]> {
  const tasks = await client.listTasks({ job: jobId, limit: 100 })
  if (!tasks.ok) throw new Error(tasks.failure.message)
  return Promise.all(
    tasks.value.items.map(async ({ id }) => {
      const task = await client.getTask(id)
      if (!task.ok) throw new Error(task.failure.message)
      return task.value
    }),
  )
}

export async function expectLongJobRight(
  daemon: TestDaemon,
  repository: TestRepository,
  job: WireJob,
): Promise<void> {
  expect(longJobFaults(job, await detailsOf(daemon.client, job.id))).toEqual([])
  await auditLandings(daemon.client, repository, job)
  for (const file of ['ground', 'wall', 'window', 'bell', 'ladder', 'floor', 'roof', 'flag']) {
    expect(await repository.git('show', `${job.workingBranch}:${file}.txt`)).toBe(file)
  }
  expect(await repository.git('show', `${job.workingBranch}:door.txt`)).toBe('red and blue')
  expect(await repository.git('fsck', '--strict')).toBe('')
}
