import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProjectId } from '../../../../domain/id.ts'
import type { HubGit } from '../process/companions.ts'
import { ignoreCodes, systemErrorCode } from '../process/system-error.ts'
import { writeGitDirectory } from './git-directory.ts'
import type { ObjectFormat } from './object-id.ts'

export type HubNeeds = HubGit & {
  readonly hubsDirectory: string
  /** Where unused trees are kept ready; without one there are none. */
  readonly warmDirectory: string | undefined
}

/** What reaches the hub is the only copy of someone's work: it goes to the disk before a ref names it. */
export const DURABLE_SETTINGS = `[core]
	logallrefupdates = false
	fsync = committed
	fsyncMethod = batch
`

export function hubPath(needs: HubNeeds, project: ProjectId): string {
  return join(needs.hubsDirectory, `${project}.git`)
}

/** Makes the hub of a project unless there is one. A half-made hub is never seen under its name. */
export async function requireHub(
  needs: HubNeeds,
  project: ProjectId,
  objectFormat: ObjectFormat,
): Promise<string> {
  const hub = hubPath(needs, project)
  if (await exists(hub)) return hub

  await mkdir(needs.hubsDirectory, { recursive: true, mode: 0o700 })
  const temporary = `${hub}.new.${randomUUID()}`
  await writeGitDirectory({ path: temporary, objectFormat, settings: DURABLE_SETTINGS })
  // Another call was faster: its hub is as good as ours.
  await rename(temporary, hub).catch(ignoreCodes('ENOTEMPTY', 'EEXIST'))
  await rm(temporary, { recursive: true, force: true })
  return hub
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false
    throw error
  }
}
