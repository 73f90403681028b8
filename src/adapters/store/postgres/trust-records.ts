import type { TrustedConfiguration, TrustRecords } from '../../../ports/store/trust-records.ts'
import type { Database } from './database.ts'
import { json, type Scope, withoutNulls } from './scope.ts'

export function createTrustRecords(scope: Scope): TrustRecords {
  const { database } = scope
  return {
    async find(path) {
      const query = database.selectFrom('trustedConfigurations').selectAll().where('path', '=', path)
      const row = await query.executeTakeFirst()
      return row === undefined ? undefined : toTrusted(row)
    },
    async list() {
      const query = database.selectFrom('trustedConfigurations').selectAll().orderBy('path')
      return (await query.execute()).map(toTrusted)
    },
    async save({ path, ...trusted }, change) {
      const columns = { ...trusted, parts: trusted.parts === undefined ? null : json(trusted.parts) }
      await database
        .insertInto('trustedConfigurations')
        .values({ path, ...columns })
        .onConflict((conflict) => conflict.column('path').doUpdateSet(columns))
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

function toTrusted(row: Database['trustedConfigurations']): TrustedConfiguration {
  return withoutNulls(row)
}
