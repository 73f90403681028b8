import type { Approval } from '../../domain/approval/approval.ts'
import type { RunId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Run } from '../../domain/run/run.ts'
import type { Visit } from '../../domain/run/visit.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { type LoadedRun, loadRun } from '../loaded-runs/load-run.ts'
import { abortRun } from './abort-run.ts'
import { advanceRun } from './advance-run.ts'
import { failTask, landWork } from './end-run.ts'
import { noteWaits } from './note-waits.ts'
import type { RunNeeds } from './run-needs.ts'
import { settleVisit, storeVisit } from './store-visit.ts'

type Needs = RunNeeds & Pick<EngineNeeds, 'store'>

/** Applies what a person decided about a run, and takes the run as far as it can go. */
export async function continueRun(needs: Needs, runId: RunId): Promise<void> {
  const run = await needs.store.read.runs.find(runId)
  if (run === undefined) return
  await needs.store.withJob(run.jobId, async (records, job) => {
    if (job.state.type !== 'running') return
    const current = await loadRun(records, runId)
    if (current?.run.state.type === 'asking') return await judgeEnd(needs, records, job, current)
    if (current?.run.state.type !== 'running') return
    await applyAnswers(needs, records, job, runId)
    const loaded = await loadRun(records, runId)
    if (loaded?.run.state.type !== 'running') return
    await noteWaits(needs, records, loaded)
    await advanceRun(needs, records, job, runId)
  })
}

/** Reads the rows before each answer, because the one before it may have ended the run and cancelled the other visits. */
async function applyAnswers(needs: RunNeeds, records: Records, job: Job, runId: RunId): Promise<void> {
  const asking = (await records.visits.listOfRun(runId)).filter(({ state }) => state.type === 'asking')
  for (const { id } of asking) {
    const [run, visit] = await Promise.all([records.runs.find(runId), records.visits.find(id)])
    if (run?.state.type !== 'running') return
    if (visit !== undefined) await judge(needs, records, job, run, visit)
  }
}

/** Applies the answer to what a visit asked, at its gate or about its trouble. */
async function judge(needs: RunNeeds, records: Records, job: Job, run: Run, visit: Visit): Promise<void> {
  if (visit.state.type !== 'asking') return
  const approval = await records.approvals.find(visit.state.approvalId)
  const outcome = outcomeOf(approval)
  if (approval === undefined || outcome === undefined) return
  if (approval.asker.type === 'trouble')
    return await judgeTrouble(needs, records, job, { run, visit, approval })
  const comment = approval.state.type === 'denied' ? approval.state.reason : undefined
  await settleVisit(needs, records, run, visit, {
    outcome,
    answer: { comment: comment ?? '' },
    ...(comment === undefined ? {} : { problem: comment }),
  })
}

type Asked = { readonly run: Run; readonly visit: Visit; readonly approval: Approval }

/** Tries again, gives the stage up, or ends the run. Without an answer, the stage has failed. */
async function judgeTrouble(
  needs: RunNeeds,
  records: Records,
  job: Job,
  { run, visit, approval: { state } }: Asked,
): Promise<void> {
  if (state.type === 'allowed') {
    await storeVisit(records, visit, { type: 'visit-retry' })
    return
  }
  const problem = visit.problem ?? 'nobody decided what to do about it'
  await settleVisit(needs, records, run, visit, { outcome: 'failed', problem })
  if (state.type !== 'denied' || state.aborts !== true) return
  await abortRun(needs, records, job, run.id, `a person ended it: ${state.reason ?? problem}`)
}

async function judgeEnd(needs: RunNeeds, records: Records, job: Job, loaded: LoadedRun): Promise<void> {
  const { run, visits } = loaded
  if (run.state.type !== 'asking') return
  const { approvalId, end, reason, work } = run.state
  const outcome = outcomeOf(await records.approvals.find(approvalId))
  if (outcome === undefined) return
  const by = visits.find(({ id }) => id === work)
  if (outcome !== 'allowed' || by?.commit === undefined) return failTask(needs, records, run, end, reason)
  await landWork(needs, records, job, loaded, { end, work: { commit: by.commit, by }, reason })
}

function outcomeOf(approval: Approval | undefined): 'allowed' | 'denied' | 'expired' | undefined {
  switch (approval?.state.type) {
    case 'pending':
      return undefined
    case 'allowed':
    case 'denied':
      return approval.state.type
    default:
      return 'expired'
  }
}
