import type { JobId } from '../../domain/id.ts'
import type { Records } from '../../ports/store/store.ts'

/**
 * Whether a person changed something that no discovery has seen. What Muster itself appended waits too, but is no
 * reason to go on; a person's version may stand behind it.
 */
export async function hasWaitingEdit(records: Pick<Records, 'documents'>, jobId: JobId): Promise<boolean> {
  for (const newest of await records.documents.listWaiting(jobId)) {
    if (newest.author === 'person') return true
    const versions = await records.documents.listOf(jobId, newest.kind)
    if (versions.some(({ author, cycle }) => author === 'person' && cycle === undefined)) return true
  }
  return false
}
