import type { TrustRecords } from '../../../ports/store/trust-records.ts'
import type { Scope } from './scope.ts'

export function createTrustRecords(scope: Scope): TrustRecords {
  const { database } = scope
  return {
    find: (path) =>
      database.selectFrom('trustedConfigurations').selectAll().where('path', '=', path).executeTakeFirst(),
    list: () => database.selectFrom('trustedConfigurations').selectAll().orderBy('path').execute(),
    async save(trusted, change) {
      const { digest, trustedAt } = trusted
      await database
        .insertInto('trustedConfigurations')
        .values(trusted)
        .onConflict((conflict) => conflict.column('path').doUpdateSet({ digest, trustedAt }))
        .execute()
      scope.note(change)
    },
    async remove(path, change) {
      const removed = await database
        .deleteFrom('trustedConfigurations')
        .where('path', '=', path)
        .executeTakeFirst()
      if (removed.numDeletedRows === 0n) return false
      scope.note(change)
      return true
    },
  }
}
