import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import type { CollectRequest } from '../../../../ports/working-trees.ts'
import type { HubGit } from '../process/companions.ts'
import { gitText } from '../process/git-answer.ts'
import { copyPath } from '../tree/copy-path.ts'

const MOST_PATHS = 200

/** The paths that may have been copied into the tree. What the base has was not: there, all that changed is work. */
export async function findExcluded(
  needs: HubGit,
  hub: string,
  { base, exclude = [] }: Pick<CollectRequest, 'base' | 'exclude'>,
): Promise<Result<readonly string[], GitFailure>> {
  const paths = [...new Set(exclude.slice(0, MOST_PATHS).flatMap((given) => copyPath(given) ?? []))]
  const absent: string[] = []
  for (const path of paths) {
    const present = await isPresent(needs, hub, base, path)
    if (!present.ok) return present
    if (!present.value) absent.push(path)
  }
  return success(absent)
}

async function isPresent(
  { git, companions }: HubGit,
  hub: string,
  base: string,
  path: string,
): Promise<Result<boolean, GitFailure>> {
  const name = `${base}:${path}`
  // A path with a line end cannot be asked for on one line.
  const answer = path.includes('\n') ? undefined : await companions.ask(hub, 'cat-file', `info ${name}\n`)
  if (answer !== undefined) return success(answer.toString('utf8') !== `${name} missing\n`)
  const listed = await gitText(git, {
    directory: hub,
    arguments: ['ls-tree', '-z', '--name-only', '--end-of-options', base, path],
  })
  return listed.ok ? success(listed.value !== '') : listed
}
