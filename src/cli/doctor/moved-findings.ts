import type { MusterClient } from '../../client/index.ts'
import { PAGE_LIMIT } from '../../client/read-all.ts'
import { counted } from '../render/text/counted.ts'
import { findMovedRepository } from '../repository/moved-repository.ts'
import { type Finding, warn } from './finding.ts'

/** Warns about repositories that recent jobs belong to, but that are no longer at their path on this machine. */
export async function movedFindings(client: Pick<MusterClient, 'listJobs'>): Promise<readonly Finding[]> {
  const jobs = await client.listJobs({ limit: PAGE_LIMIT })
  if (!jobs.ok) return []
  const paths = new Set(jobs.value.items.map(({ repositoryPath }) => repositoryPath))
  const found: Finding[] = []
  for (const path of paths) {
    const moved = await findMovedRepository(path)
    if (moved === undefined) continue
    const own = jobs.value.items.filter(({ repositoryPath }) => repositoryPath === path)
    const [newest] = own
    found.push(
      warn(
        'repository',
        `there is no repository at ${path} any more, but ${counted(own.length, 'job')} started there`,
        `${moved.next}. If it is gone for good: muster delete ${newest?.id ?? 'JOB'}`,
      ),
    )
  }
  return found
}
