import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type ProjectId, parseId } from '../../../../domain/id.ts'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import { ignoreCodes } from '../../../../domain/system-error.ts'
import type { HubCopy, HubRefs } from '../../../../ports/hub-copies.ts'
import { gitFailed } from '../process/git-answer.ts'
import { LONG_TIMEOUT_MS } from '../process/run-git.ts'
import { readShallow } from '../repository/git-directory.ts'
import type { HubNeeds } from '../repository/hub-repository.ts'

const SUFFIX = '.git'

export async function listHubs({ hubsDirectory }: HubNeeds): Promise<readonly ProjectId[]> {
  const names = (await readdir(hubsDirectory).catch(ignoreCodes('ENOENT'))) ?? []
  return names.flatMap((name) => {
    const project = name.endsWith(SUFFIX) ? parseId('project', name.slice(0, -SUFFIX.length)) : undefined
    return project === undefined ? [] : [project]
  })
}

export async function readHubRefs(needs: HubNeeds, hub: string): Promise<Result<HubRefs, GitFailure>> {
  const listed = await needs.git({
    directory: hub,
    arguments: ['for-each-ref', '--format=%(objectname) %(refname)'],
  })
  if (!listed.ok) return listed
  if (listed.value.code !== 0) return failure(gitFailed(listed.value))
  const lines = listed.value.stdout.toString('utf8').split('\n').filter(Boolean)
  return success(Object.fromEntries(lines.map((line) => refIn(line))))
}

function refIn(line: string): readonly [string, string] {
  const space = line.indexOf(' ')
  return [line.slice(space + 1), line.slice(0, space)]
}

/**
 * Packs everything, as `git repack -a -k` would, but into another directory. Candidates are commits that no ref names,
 * so unreachable objects count too.
 */
export async function packHub(
  needs: HubNeeds,
  hub: string,
  directory: string,
): Promise<Result<Omit<HubCopy, 'refs'>, GitFailure>> {
  const shallow = await readShallow(hub)
  const packed = await needs.git({
    directory: hub,
    arguments: [
      'pack-objects',
      '--quiet',
      '--all',
      '--keep-unreachable',
      '--pack-loose-unreachable',
      '--delta-base-offset',
      '--end-of-options',
      join(directory, 'pack'),
    ],
    input: '',
    timeoutMs: LONG_TIMEOUT_MS,
  })
  if (!packed.ok) return packed
  if (packed.value.code !== 0) return failure(gitFailed(packed.value))
  const pack = join(directory, `pack-${packed.value.stdout.toString('latin1').trim()}.pack`)
  return success({ pack, ...(shallow === undefined ? {} : { shallow }) })
}
