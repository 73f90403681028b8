import type { MusterClient, WireLanding } from '../../src/client/index.ts'
import type { TestRepository } from './test-repository.ts'

/**
 * Verifies the landings of a job with git and the API alone. Every first-parent commit of the branch must either update
 * the task list or have landed, and the tree of each landed commit must be the tree that its checks passed on. Returns
 * the landed commits, oldest first.
 */
export async function auditLandings(
  client: MusterClient,
  repository: TestRepository,
  job: { readonly id: string; readonly workingBranch: string; readonly baseCommit: string },
  checkCount = 1,
): Promise<readonly string[]> {
  const listed = await client.listLandings({ job: job.id, limit: 200 })
  if (!listed.ok) throw new Error(listed.failure.message)
  const landed = new Map<string, WireLanding[]>()
  for (const landing of listed.value.items) {
    if (landing.status !== 'landed' || landing.commit === undefined || landing.isContained === true) continue
    landed.set(landing.commit, [...(landed.get(landing.commit) ?? []), landing])
  }
  const range = `${job.baseCommit}..${job.workingBranch}`
  const line = (await repository.git('rev-list', '--first-parent', '--reverse', range)).split('\n')
  const found: string[] = []
  for (const commit of line.filter((id) => id !== '')) {
    const landings = landed.get(commit)
    if (landings === undefined) await requireTaskListOnly(repository, commit)
    else {
      found.push(commit)
      await requireChecked(repository, commit, landings, checkCount)
    }
  }
  const missing = [...landed.keys()].filter((commit) => !found.includes(commit))
  if (missing.length > 0)
    throw new Error(
      `the API reports these commits as landed, but they are not on the branch: ${missing.join(', ')}`,
    )
  return found
}

async function requireTaskListOnly(repository: TestRepository, commit: string): Promise<void> {
  const files = await repository.git('diff-tree', '-r', '--name-only', '--no-commit-id', `${commit}^`, commit)
  if (files !== 'TASKLIST.md')
    throw new Error(`${commit} is on the branch but did not land, and it changes ${files}`)
}

async function requireChecked(
  repository: TestRepository,
  commit: string,
  landings: readonly WireLanding[],
  checkCount: number,
): Promise<void> {
  const tree = await repository.git('rev-parse', `${commit}^{tree}`)
  for (const { id, checks, tip } of landings) {
    const passed = checks.filter((check) => check.passed && check.tree === tree)
    if (passed.length !== checkCount) {
      throw new Error(`${id} landed as ${commit} with ${passed.length} of ${checkCount} checks on its tree`)
    }
    await repository.git('merge-base', '--is-ancestor', tip, commit)
  }
}
