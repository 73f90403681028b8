import type { Job } from '../../domain/job/job.ts'
import { NOTHING_CHECKED } from '../../domain/landing/no-checks.ts'
import { newestWork, startOfRun } from '../../domain/run/run-work.ts'
import type { Visit } from '../../domain/run/visit.ts'
import type { Records } from '../../ports/store/store.ts'
import type { LoadedRun } from '../loaded-runs/load-run.ts'
import { newCheck, ofVisit } from '../sessions/create/new-check.ts'
import type { RunNeeds } from './run-needs.ts'
import { settleVisit, storeVisit } from './store-visit.ts'

/** Starts the first of the project's checks on exactly the commit that the visit is about. */
export async function beginChecks(
  needs: RunNeeds,
  records: Records,
  job: Job,
  { run, visits, pinned }: LoadedRun,
  visit: Visit,
): Promise<Visit> {
  const made = visits.find(({ id }) => visit.inputs.includes(id))
  const commit = made?.commit ?? newestWork(pinned.playbook, visits)?.commit ?? startOfRun(run)
  const [command] = job.plan.checks
  if (command === undefined) {
    const answer = { passed: 0, output: NOTHING_CHECKED, changedLines: 0 }
    return (await settleVisit(needs, records, run, visit, { outcome: 'pass', commit, answer })) ?? visit
  }
  const check = newCheck(needs, ofVisit(visit, job), { index: 0, command, isFresh: true })
  const begun = await storeVisit(
    records,
    { ...visit, commit },
    { type: 'checks-start', sessionId: check.session.id },
  )
  await check.insert(records)
  return begun ?? visit
}
