import { type Candidate, landingIdsOf } from '../../domain/landing/candidate.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import { type Result, success } from '../../domain/result.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import { findJob, type JobNotFound, type Reads } from './find-record.ts'
import { type Page, type PageInput, pageOf } from './page.ts'

export type LandingsInput = PageInput & { readonly job: string }

/** A landing with the candidate that it was last part of. */
export type LandingView = { readonly landing: Landing; readonly candidate?: Candidate }

/** A job's landings, oldest first. */
export async function listLandings(
  needs: Reads,
  { job: jobText, ...page }: LandingsInput,
): Promise<Result<Page<LandingView>, JobNotFound>> {
  const job = await findJob(needs, jobText)
  if (!job.ok) return job
  const { landings, candidates } = needs.store.read
  const [ofJob, tried] = await Promise.all([
    landings.listOfJob(job.value.id),
    candidates.listOfJob(job.value.id),
  ])
  const cut = pageOf(ofJob, page)
  return success({ ...cut, items: viewLandings(cut.items, tried) })
}

/** `tried` are the candidates of the landings' job, oldest first. */
export function viewLandings(
  landings: readonly Landing[],
  tried: readonly Candidate[],
): readonly LandingView[] {
  return landings.map((landing) => {
    const candidate = tried.findLast((one) => landingIdsOf(one).includes(landing.id))
    return withoutUndefined({ landing, candidate })
  })
}
