import type { SourceRepository } from '../../ports/branches.ts'
import type { Project } from '../../ports/store/project-records.ts'
import type { EngineNeeds } from '../engine-needs.ts'

/** The project of a repository, created the first time the repository is used. */
export async function ensureProject(
  needs: Pick<EngineNeeds, 'store' | 'ids' | 'clock'>,
  source: SourceRepository,
): Promise<Project> {
  return await needs.store.transact((records) =>
    records.projects.ensure({
      id: needs.ids.next('project'),
      path: source.path,
      name: source.path.split('/').at(-1) ?? source.path,
      createdAt: needs.clock.now(),
    }),
  )
}
