import type { Attempt } from '../../domain/attempt/attempt.ts'
import { judgeAttempt, type LastWords } from '../../domain/attempt/judge-attempt.ts'
import { readWorkReport } from '../../domain/attempt/read-work-report.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Records } from '../../ports/store/store.ts'
import type { Collected } from '../../ports/working-trees.ts'
import type { AdmissionNeeds } from '../admission/decide-starts.ts'
import { queueLanding } from '../attempts/queue-landing.ts'
import { rejectTask } from '../attempts/reject-task.ts'
import { storeLearnings } from '../attempts/store-learnings.ts'
import { storeOutcome } from '../attempts/store-outcome.ts'
import { wantedTask } from '../attempts/wanted-task.ts'
import type { WholeWork } from '../attempts/whole-work.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { askReviewer } from '../reviews/ask-reviewer.ts'

type Needs = Pick<EngineNeeds, 'ids' | 'crash'> & AdmissionNeeds

export type EndedWork = {
  readonly job: Job
  readonly attempt: Attempt
  readonly collected: Collected
  readonly whole: WholeWork
  readonly answer: unknown
  readonly lastWords?: LastWords
}

/** "Done" is a claim: it goes on to a reviewer or the merge queue only if there is something to look at. */
export async function settleWork(needs: Needs, records: Records, work: EndedWork): Promise<void> {
  const { job, attempt, whole, answer } = work
  const task = await wantedTask(records, attempt)
  if (task === undefined || attempt.state.type !== 'ended') {
    return storeOutcome(records, attempt, { type: 'cancelled' })
  }
  const report = readWorkReport(answer, task.successCriteria.length)
  await storeLearnings(records, task, attempt, report.learnings)
  const judgement = judgeAttempt(attempt.state, whole.hasChanged, work.lastWords)
  if (judgement.type === 'rejected') return rejectTask(needs, records, job, attempt, judgement)
  await storeOutcome(records, attempt, { type: 'accepted' })
  const done: Task = {
    ...task,
    resultSummary: report.summary ?? `${whole.files.length} files changed`,
    criteria: report.criteria,
    filesModified: whole.files,
    commitsMade: whole.commits,
  }
  await passOn(needs, records, done, work)
}

async function passOn(needs: Needs, records: Records, task: Task, work: EndedWork): Promise<void> {
  const { job, attempt, collected } = work
  const { tip, omissions } = collected
  if (job.plan.reviewer === undefined) {
    return queueLanding(needs, records, { job, task, attempt, tip, omissions })
  }
  await askReviewer(needs, records, { job, task, tip, omissions })
}
