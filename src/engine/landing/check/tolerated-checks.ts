import { type Baseline, failuresOf } from '../../../domain/baseline/baseline.ts'
import { tolerates } from '../../../domain/baseline/tolerates.ts'
import type { FailureKind } from '../../../domain/check/check-problem.ts'
import type { Job } from '../../../domain/job/job.ts'
import type { LandingNeeds } from '../landing-needs.ts'

type Needs = Pick<LandingNeeds, 'store'>

/** Whether a person decided that this failure, which the base has too, isn't held against the job's work. */
export async function isTolerated(
  needs: Needs,
  job: Job,
  check: { readonly command: string; readonly kind: FailureKind | undefined },
): Promise<boolean> {
  const baseline = await findTolerated(needs, job)
  if (baseline === undefined) return false
  const candidates = await needs.store.read.candidates.listOfJob(job.id)
  const landed = candidates.filter(({ state }) => state.type === 'landed')
  return tolerates(
    baseline,
    check,
    landed.flatMap(({ checks }) => checks),
  )
}

/** Lines for the message of a commit that may land although these checks fail, as on the base. */
export async function toleratedTrailers(needs: Needs, job: Job): Promise<readonly string[]> {
  const baseline = await findTolerated(needs, job)
  const failing = baseline === undefined ? [] : failuresOf(baseline)
  return failing.map(({ command }) => `Muster-May-Fail: ${command.replaceAll(/\s+/g, ' ').trim()}`)
}

async function findTolerated({ store }: Needs, { base }: Job): Promise<Baseline | undefined> {
  return base?.type === 'tolerated' ? await store.read.baselines.find(base.baselineId) : undefined
}
