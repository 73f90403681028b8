import type { MusterClient, WireJob, WirePinnedWork } from '../../client/index.ts'

/** The work that a cancelled job left; empty if the daemon doesn't answer. */
export async function readUnlandedWork(
  client: Pick<MusterClient, 'listPinned'>,
  { id, status }: Pick<WireJob, 'id' | 'status'>,
): Promise<readonly WirePinnedWork[]> {
  if (status !== 'cancelled') return []
  const pinned = await client.listPinned({ job: id })
  return pinned.ok ? pinned.value.items : []
}
