import type { ProjectId } from '../../../../domain/id.ts'
import { isBranchName } from '../../../../domain/job/branch-name.ts'
import { DETACHED } from '../../../../domain/job/job.ts'
import type { ImportFailure } from '../../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../../domain/result.ts'
import type { ImportedBase, SourceRepository } from '../../../../ports/branches.ts'
import { gitFailed, gitText } from '../process/git-answer.ts'
import type { GitRun } from '../process/run-git.ts'
import { setHubRefs } from '../repository/change-refs.ts'
import { fetchIntoHub } from '../repository/fetch-objects.ts'
import { type HubNeeds, requireHub } from '../repository/hub-repository.ts'
import { objectFormatOf } from '../repository/object-id.ts'

const INCOMING = 'refs/muster/incoming/base'
const REF_ABSENT = /couldn't find remote ref/

/** Imports a base and keeps it under a ref named after the commit, because the person may rewrite the branch. */
export async function importBase(
  needs: HubNeeds,
  project: ProjectId,
  source: SourceRepository,
  base: string | undefined,
): Promise<Result<ImportedBase, ImportFailure>> {
  const branch = base ?? source.head.branch ?? DETACHED
  if (base !== undefined && !isBranchName(base)) return failure({ type: 'base-missing', branch: base })

  const hub = await requireHub(needs, project, objectFormatOf(source.head.commit))
  const ref = base === undefined ? 'HEAD' : `refs/heads/${base}`
  const from = { from: source.path, ref, isChecked: false }
  const fetched = await fetchIntoHub(needs, { into: hub, as: INCOMING, ...from })
  if (!fetched.ok) return fetched
  if (fetched.value.code !== 0) return failure(refusal(fetched.value, source, base))

  const commit = await gitText(needs.git, {
    directory: hub,
    arguments: ['rev-parse', '--verify', '--end-of-options', `${INCOMING}^{commit}`],
  })
  if (!commit.ok) return commit
  const kept = await setHubRefs(needs, hub, [
    { type: 'set', ref: `refs/muster/base/${commit.value}`, to: commit.value },
    { type: 'delete', ref: INCOMING },
  ])
  if (!kept.ok) return kept
  return success({ branch, commit: commit.value })
}

function refusal(run: GitRun, source: SourceRepository, base: string | undefined): ImportFailure {
  if (!REF_ABSENT.test(run.stderr)) return gitFailed(run)
  if (base === undefined) return { type: 'no-commits', path: source.path }
  return { type: 'base-missing', branch: base }
}
