import { realpath } from 'node:fs/promises'
import type { ApiError, MusterClient, WireJobSummary } from '../../client/index.ts'
import { type Result, success } from '../../domain/result.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { findRepository } from './find-repository.ts'

const NEWEST = 200

/** Where the person is, and how to tell them what was taken for what they meant. */
export type Here = { readonly cwd: string; readonly say: (line: string) => void }

/**
 * The job that is meant where none is named: the newest one of the repository the person is in, or else the
 * newest of all, which is said.
 */
export async function newestJob(
  client: Pick<MusterClient, 'listJobs'>,
  here: Here,
): Promise<Result<WireJobSummary | undefined, ApiError>> {
  const jobs = await client.listJobs({ limit: NEWEST })
  if (!jobs.ok) return jobs
  const own = await ofRepository(jobs.value.items, here.cwd)
  if (own[0] !== undefined) return success(own[0])
  const [newest] = jobs.value.items
  if (newest !== undefined) {
    here.say(
      `no job of this directory: the newest of all is ${newest.id}, of ${safeLine(newest.repositoryPath)}`,
    )
  }
  return success(newest)
}

/** Those of the repository that a directory is in. */
export async function ofRepository<Job extends Pick<WireJobSummary, 'repositoryPath'>>(
  jobs: readonly Job[],
  cwd: string,
): Promise<readonly Job[]> {
  const repository = await findRepository(cwd)
  if (repository === undefined) return []
  // The daemon knows a repository by its real path; the person may have come by a link.
  const real = await realpath(repository).catch(() => repository)
  return jobs.filter(({ repositoryPath }) => repositoryPath === real || repositoryPath === repository)
}
