import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreCodes, systemErrorCode } from '../../../../domain/system-error.ts'

export type Scratch = AsyncDisposable & { readonly path: string }

export const SCRATCH = 'muster'
/** Far longer than any call takes. */
const ABANDONED_AFTER_MS = 24 * 60 * 60_000

/** Where calls keep temporary files. Files left there are removed a day later. */
export function scratchDirectoryOf(hub: string): string {
  return join(hub, SCRATCH)
}

/** Reported as a failure by `orDiskFull`. */
export class HubMissing extends Error {
  override readonly name = 'HubMissing'

  constructor(hub: string) {
    super(`${hub} is missing`)
  }
}

/** A new folder inside the hub for one call. A git that outlived its daemon may still write to an older folder. */
export async function openScratch(hub: string): Promise<Scratch> {
  const parent = scratchDirectoryOf(hub)
  const path = join(parent, randomUUID())
  await mkdir(parent).catch((error: unknown) => {
    // Nothing is created in the place of a hub that someone has moved away: a new hub goes there.
    if (systemErrorCode(error) === 'ENOENT') throw new HubMissing(hub)
    if (systemErrorCode(error) !== 'EEXIST') throw error
  })
  await mkdir(path)
  await removeAbandoned(parent)

  return {
    path,
    [Symbol.asyncDispose]: async () => await rm(path, { recursive: true, force: true }),
  }
}

/** Removes the folders of calls that died. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name)
    // Another call may have removed the folder meanwhile.
    const seen = await stat(path).catch(ignoreCodes('ENOENT'))
    if (seen === undefined || Date.now() - seen.mtimeMs < ABANDONED_AFTER_MS) continue
    await rm(path, { recursive: true, force: true })
  }
}
