import type { JobPlan } from '../../domain/job/job.ts'
import type { StartJobFailure } from '../../domain/job/start-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { ImportedBase, SourceRepository } from '../../ports/branches.ts'
import type { Project } from '../../ports/store/project-records.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import type { StartJobRequest } from './job-commands.ts'

type Given = {
  readonly project: Project
  readonly source: SourceRepository
  readonly base: ImportedBase
  readonly plan: JobPlan
}

type Started = Pick<Given, 'base' | 'plan'> & { readonly warnings: readonly string[] }

const MOST_NAMED = 20

/** The base and plan of a job that starts from uncommitted changes, if that was asked for and there are any. */
export async function takeSnapshot(
  needs: Pick<EngineNeeds, 'branches'>,
  { includeUncommitted = false }: StartJobRequest,
  { project, source, base, plan }: Given,
): Promise<Result<Started, StartJobFailure>> {
  if (!includeUncommitted) return success({ base, plan, warnings: [] })
  const { commit: head, branch } = source.head
  if (base.commit !== head) {
    const elsewhere = { type: 'uncommitted-elsewhere', base: base.branch } as const
    return failure(branch === undefined ? elsewhere : { ...elsewhere, branch })
  }
  const made = await needs.branches.snapshot(project.id, { source, head, exclude: plan.copy ?? [] })
  if (!made.ok) return made
  if (made.value === undefined) return success({ base, plan, warnings: [] })
  const { commit, files, submodules } = made.value
  const snapshot = { head, fileCount: files.length, files: files.slice(0, MOST_NAMED) }
  return success({
    base: { ...base, commit },
    plan: { ...plan, snapshot },
    warnings: submodules.map((path) => `changes inside the submodule ${path} are not part of the job`),
  })
}
