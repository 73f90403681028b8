import { type Baseline, commandsOf } from '../../domain/baseline/baseline.ts'
import { firstCheck } from '../../domain/check/check-progress.ts'
import type { Job } from '../../domain/job/job.ts'
import { USUAL_SANDBOX } from '../../domain/session/sandbox-policy.ts'
import type { Records } from '../../ports/store/store.ts'
import { canonicalDigest } from '../canonical-digest.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { newCheck, ofBaseline } from '../sessions/create/new-check.ts'

type Needs = Pick<EngineNeeds, 'history' | 'clock' | 'ids' | 'wakeAt'>

export type EnsuredBaseline = {
  readonly baseline: Baseline
  /** Another job had it checked, or is having it checked. */
  readonly isShared: boolean
}

/**
 * The baseline of the commit that a job starts from: one that passed or is running if there is one, and otherwise a
 * new one with its first check. Undefined if the job has nothing to run, or a person doesn't want its base checked.
 */
export async function ensureBaseline(
  needs: Needs,
  records: Records,
  { projectId, repositoryPath, baseCommit: commit, plan }: Job,
): Promise<EnsuredBaseline | undefined> {
  const { checks, setup = [], copy = [], sandbox = USUAL_SANDBOX } = plan
  if (plan.failingBase === 'ignore' || checks.length + setup.length === 0) return undefined
  const tree = await needs.history.treeOf(projectId, commit)
  if (tree === undefined) throw new Error(`the base commit ${commit} can't be read`)
  const made = {
    id: needs.ids.next('baseline'),
    projectId,
    repositoryPath,
    commit,
    tree,
    digest: canonicalDigest({ tree, checks, setup, copy, sandbox }),
    checks,
    setup,
    copy,
    sandbox,
    results: [],
    version: 1,
    createdAt: needs.clock.now(),
  }
  const [command = ''] = commandsOf(made)
  const check = newCheck(needs, ofBaseline(made), { index: 0, command, isFresh: true })
  const state = { type: 'checking', ...firstCheck(check.session.id) } as const
  const baseline = await records.baselines.ensure(
    { ...made, state },
    { audit: { actor: 'engine', action: 'baseline-create', subject: made.id, detail: { tree } } },
  )
  const isShared = baseline.id !== made.id
  if (!isShared) await check.insert(records)
  return { baseline, isShared }
}
