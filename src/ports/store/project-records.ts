import type { ProjectId } from '../../domain/id.ts'

/** One git repository that Muster works on. */
export type Project = {
  readonly id: ProjectId
  readonly path: string
  readonly name: string
  readonly createdAt: Date
}

/** Contract: one project per path; `ensure` returns the existing one or stores `project`. */
export interface ProjectRecords {
  ensure(project: Project): Promise<Project>
  find(id: ProjectId): Promise<Project | undefined>
  list(): Promise<readonly Project[]>
}
