import type { PinnedPlaybookRecords } from '../../../ports/store/pinned-playbook-records.ts'
import { findRow, json, type Scope } from './scope.ts'

export function createPinnedPlaybookRecords({ database }: Scope): PinnedPlaybookRecords {
  return {
    async pin(pinned) {
      await database
        .insertInto('pinnedPlaybooks')
        .values({ ...pinned, playbook: json(pinned.playbook), files: json(pinned.files) })
        .onConflict((conflict) => conflict.column('hash').doNothing())
        .execute()
    },
    find: (hash) =>
      findRow(
        database
          .selectFrom('pinnedPlaybooks')
          .select(['hash', 'name', 'playbook', 'files'])
          .where('hash', '=', hash),
        (row) => row,
      ),
  }
}
