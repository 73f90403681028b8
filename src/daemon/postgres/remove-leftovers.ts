import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Removes what an earlier death left half made. Only names that Muster gives to unfinished work are touched. */
export async function removeLeftovers(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix)) continue
    // An orphaned program may still be writing into it: retries cover its last moments.
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}
