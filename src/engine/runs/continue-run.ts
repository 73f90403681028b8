import type { Approval } from '../../domain/approval/approval.ts'
import type { RunId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Run } from '../../domain/run/run.ts'
import type { Visit } from '../../domain/run/visit.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { advanceRun } from './advance-run.ts'
import { failTask, landWork } from './end-run.ts'
import type { RunNeeds } from './run-needs.ts'
import { settleVisit } from './store-visit.ts'

type Needs = RunNeeds & Pick<EngineNeeds, 'store'>

/** Applies what a person decided about a run, and takes the run as far as it can go. */
export async function continueRun(needs: Needs, runId: RunId): Promise<void> {
  const run = await needs.store.read.runs.find(runId)
  if (run === undefined) return
  await needs.store.withJob(run.jobId, async (records, job) => {
    if (job.state.type !== 'running') return
    const current = await records.runs.find(runId)
    if (current?.state.type === 'asking') return await judgeEnd(needs, records, job, current)
    if (current?.state.type !== 'running') return
    for (const visit of await records.visits.listOfRun(runId)) await judgeGate(needs, records, current, visit)
    await advanceRun(needs, records, job, runId)
  })
}

async function judgeGate(needs: RunNeeds, records: Records, run: Run, visit: Visit): Promise<void> {
  if (visit.state.type !== 'asking') return
  const approval = await records.approvals.find(visit.state.approvalId)
  const outcome = outcomeOf(approval)
  if (outcome === undefined) return
  const comment = approval?.state.type === 'denied' ? approval.state.reason : undefined
  await settleVisit(needs, records, run, visit, {
    outcome,
    answer: { comment: comment ?? '' },
    ...(comment === undefined ? {} : { problem: comment }),
  })
}

async function judgeEnd(needs: RunNeeds, records: Records, job: Job, run: Run): Promise<void> {
  if (run.state.type !== 'asking') return
  const { approvalId, end, reason, work } = run.state
  const outcome = outcomeOf(await records.approvals.find(approvalId))
  if (outcome === undefined) return
  const by = await records.visits.find(work)
  if (outcome !== 'allowed' || by?.commit === undefined) return failTask(needs, records, run, end, reason)
  await landWork(needs, records, job, run, { end, work: { commit: by.commit, by }, reason })
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
