import type { ProjectRecords } from '../../../ports/store/project-records.ts'
import type { Scope } from './scope.ts'

export function createProjectRecords({ database }: Scope): ProjectRecords {
  return {
    ensure: (project) =>
      database
        .insertInto('projects')
        .values(project)
        // An update without effect makes PostgreSQL return the existing row.
        .onConflict((conflict) => conflict.column('path').doUpdateSet({ path: project.path }))
        .returningAll()
        .executeTakeFirstOrThrow(),
    find: (id) => database.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst(),
    list: () => database.selectFrom('projects').selectAll().orderBy('id').execute(),
  }
}
