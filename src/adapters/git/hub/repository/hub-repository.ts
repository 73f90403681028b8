import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProjectId } from '../../../../domain/id.ts'
import { ignoreCodes } from '../../../../domain/system-error.ts'
import type { HubGit } from '../process/companions.ts'
import type { PersonPlaces } from '../source/checkout-rules.ts'
import { writeGitDirectory } from './git-directory.ts'
import type { ObjectFormat } from './object-id.ts'
import { SCRATCH } from './scratch.ts'

export type HubNeeds = HubGit & {
  readonly hubsDirectory: string
  /** Where warm trees are kept. Undefined if there are none. */
  readonly warmDirectory: string | undefined
  readonly person: PersonPlaces
}

/** The hub may have the only copy of somebody's work, so objects are synced to disk before a ref names them. */
export const DURABLE_SETTINGS = `[core]
	logallrefupdates = false
	fsync = committed
	fsyncMethod = batch
`

export function hubPath(needs: HubNeeds, project: ProjectId): string {
  return join(needs.hubsDirectory, `${project}.git`)
}

/** False if there is nothing but temporary files. A damaged hub is still a hub: it may have somebody's work. */
export async function isHub(hub: string): Promise<boolean> {
  const names = (await readdir(hub).catch(ignoreCodes('ENOENT'))) ?? []
  return names.some((name) => name !== SCRATCH)
}

/** Creates the hub of a project unless it exists. The hub gets its name only when it is complete. */
export async function requireHub(
  needs: HubNeeds,
  project: ProjectId,
  objectFormat: ObjectFormat,
): Promise<string> {
  const hub = hubPath(needs, project)
  if (await isHub(hub)) return hub

  // Temporary files that older versions left in the place of a hub that was moved away.
  await rm(join(hub, SCRATCH), { recursive: true, force: true })
  await mkdir(needs.hubsDirectory, { recursive: true, mode: 0o700 })
  const temporary = `${hub}.new.${randomUUID()}`
  await writeGitDirectory({ path: temporary, objectFormat, settings: DURABLE_SETTINGS })
  // If another call was faster, its hub is as good as this one.
  await rename(temporary, hub).catch(ignoreCodes('ENOTEMPTY', 'EEXIST'))
  await rm(temporary, { recursive: true, force: true })
  return hub
}
