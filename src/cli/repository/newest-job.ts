import { realpath } from 'node:fs/promises'
import type { ApiError, MusterClient, WireJobSummary } from '../../client/index.ts'
import { PAGE_LIMIT } from '../../client/read-all.ts'
import { type Result, success } from '../../domain/result.ts'
import type { Extent } from '../render/cleanup/repository-groups.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { findRepository } from './find-repository.ts'

/** The person's current directory, and how to tell them which job was chosen. */
export type Here = {
  readonly cwd: string
  readonly say: (line: string) => void
  /** Whether the command changes something. Then it never chooses a job of another repository. */
  readonly isChange?: boolean
}

/**
 * The job to use if none is named: the newest of the current repository, or else the newest of all. The second case is
 * reported to the person.
 */
export async function newestJob(
  client: Pick<MusterClient, 'listJobs'>,
  here: Here,
): Promise<Result<WireJobSummary | undefined, ApiError>> {
  const jobs = await client.listJobs({ limit: PAGE_LIMIT })
  if (!jobs.ok) return jobs
  const own = await ofRepository(jobs.value.items, here.cwd)
  if (own[0] !== undefined) return success(own[0])
  const [newest] = jobs.value.items
  if (newest !== undefined) {
    here.say(
      `no job was started in this directory; using the newest of all jobs: ${newest.id} in ${safeLine(newest.repositoryPath)}`,
    )
  }
  return success(newest)
}

/** How commands in a directory can name the tasks of a job: by their short names only if it is the newest job. */
export async function taskNamesFor(
  client: Pick<MusterClient, 'listJobs'>,
  cwd: string,
  jobId: string,
): Promise<'labels' | 'ids'> {
  const newest = await newestJob(client, { cwd, say: () => {} })
  return newest.ok && newest.value?.id === jobId ? 'labels' : 'ids'
}

/** Whether all of these are in the repository that contains a directory. */
export async function extentOf(
  items: readonly { readonly repositoryPath: string }[],
  cwd: string,
): Promise<Extent> {
  return (await ofRepository(items, cwd)).length === items.length ? 'here' : 'elsewhere'
}

/** The jobs of the repository that contains a directory. */
export async function ofRepository<Job extends { readonly repositoryPath?: string | undefined }>(
  jobs: readonly Job[],
  cwd: string,
): Promise<readonly Job[]> {
  const repository = await findRepository(cwd)
  if (repository === undefined) return []
  // The daemon stores the real path, but the current directory may be a symbolic link.
  const here = await realOf(repository)
  const isHere = new Map<string, boolean>()
  // A repository that was moved may have left a link where its jobs look for it.
  for (const { repositoryPath: path } of jobs)
    if (path !== undefined && !isHere.has(path))
      isHere.set(path, path === repository || (await realOf(path)) === here)
  return jobs.filter(({ repositoryPath: path }) => path !== undefined && isHere.get(path))
}

function realOf(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}
