import type { PinnedPlaybook, PinnedPlaybookRecords } from '../../../ports/store/pinned-playbook-records.ts'
import { findRow, json, type Scope } from './scope.ts'

/** Every step of a run reads its playbook, which may be large. What a hash names never changes. */
export type RecentPlaybooks = Map<string, PinnedPlaybook>

const MOST_RECENT = 16

export function createPinnedPlaybookRecords(
  { database }: Scope,
  recent: RecentPlaybooks,
): PinnedPlaybookRecords {
  return {
    async pin(pinned) {
      await database
        .insertInto('pinnedPlaybooks')
        .values({ ...pinned, playbook: json(pinned.playbook), files: json(pinned.files) })
        .onConflict((conflict) => conflict.column('hash').doNothing())
        .execute()
    },
    async find(hash) {
      const known = recent.get(hash)
      if (known !== undefined) return known
      const query = database.selectFrom('pinnedPlaybooks').select(['hash', 'name', 'playbook', 'files'])
      const found = await findRow(query.where('hash', '=', hash), (row) => row)
      if (found === undefined) return undefined
      const [oldest] = recent.keys()
      if (oldest !== undefined && recent.size >= MOST_RECENT) recent.delete(oldest)
      recent.set(hash, found)
      return found
    },
  }
}
