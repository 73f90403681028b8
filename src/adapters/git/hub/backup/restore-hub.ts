import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { systemErrorCode } from '../../../../domain/system-error.ts'
import type { HubCopy } from '../../../../ports/hub-copies.ts'
import { gitFailed } from '../process/git-answer.ts'
import { LONG_TIMEOUT_MS } from '../process/run-git.ts'
import { writeGitDirectory } from '../repository/git-directory.ts'
import { DURABLE_SETTINGS, type HubNeeds } from '../repository/hub-repository.ts'
import { objectFormatOf } from '../repository/object-id.ts'

/** The hub gets its name only when it is complete. */
export async function restoreHub(
  needs: HubNeeds,
  hub: string,
  copy: HubCopy,
): Promise<Result<void, GitFailure>> {
  const [commit = ''] = Object.values(copy.refs)
  const temporary = `${hub}.new.restored`
  await rm(temporary, { recursive: true, force: true })
  await writeGitDirectory({
    path: temporary,
    objectFormat: objectFormatOf(commit),
    settings: DURABLE_SETTINGS,
    refs: copy.refs,
    ...(copy.shallow === undefined ? {} : { shallow: copy.shallow }),
  })
  const packs = join(temporary, 'objects', 'pack')
  await mkdir(packs, { recursive: true })
  const pack = join(packs, 'pack-restored.pack')
  await moveFile(copy.pack, pack)
  const indexed = await needs.git({
    directory: temporary,
    // The path is absolute, so it can't be taken for an option.
    arguments: ['index-pack', pack],
    timeoutMs: LONG_TIMEOUT_MS,
  })
  if (!indexed.ok) return indexed
  if (indexed.value.code !== 0) return failure(gitFailed(indexed.value))
  await rename(temporary, hub)
  return success(undefined)
}

async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (systemErrorCode(error) !== 'EXDEV') throw error
    await copyFile(from, to)
  }
}
