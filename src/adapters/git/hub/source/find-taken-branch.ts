import { askGit } from '../process/git-answer.ts'
import type { Git, GitCall } from '../process/run-git.ts'

const HEADS = 'refs/heads/'
const REF = /refs\/heads\/[^\n\t ]+$/gm
/** More refs than any repository should have; beyond them, delivering the branch reports the conflict. */
const LIST_BYTES = 32 * 1024 * 1024

/**
 * A branch of the hub or of the person's repository that keeps `branch` from being created: the same one, or one that
 * git can't store beside it, because `feature` is a file where `feature/x` needs a folder.
 */
export async function findTakenBranch(
  needs: { readonly git: Git },
  hub: string,
  source: string,
  branch: string,
): Promise<string | undefined> {
  const lists = await Promise.all([
    listBranches(needs.git, { directory: hub, arguments: ['for-each-ref', '--format=%(refname)', HEADS] }),
    listBranches(needs.git, {
      arguments: ['ls-remote', '--quiet', '--heads', '--end-of-options', source],
    }),
  ])
  return lists.flat().find((other) => isInTheWay(other, branch))
}

async function listBranches(git: Git, call: GitCall): Promise<readonly string[]> {
  const said = await askGit(git, { ...call, cutAfterBytes: LIST_BYTES })
  const refs = said.stdout.toString('utf8').match(REF) ?? []
  return refs.map((ref) => ref.slice(HEADS.length))
}

function isInTheWay(other: string, branch: string): boolean {
  return other === branch || other.startsWith(`${branch}/`) || branch.startsWith(`${other}/`)
}
