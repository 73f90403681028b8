import type { VisitId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Visit, VisitState } from '../../domain/run/visit.ts'
import type { CheckAnswer } from '../../domain/run/visit-answer.ts'
import { countsOf } from '../../domain/task/work-changes.ts'
import type { Records } from '../../ports/store/store.ts'
import { type JudgedCheck, judgeCheck } from '../checks/judge-check.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { isTolerated } from '../landing/check/tolerated-checks.ts'
import { ofVisit } from '../sessions/create/new-check.ts'
import { treeOf } from '../trees/tree-of.ts'
import { advanceRun } from './advance-run.ts'
import type { RunNeeds } from './run-needs.ts'
import { settleVisit, storeVisit } from './store-visit.ts'

type Needs = RunNeeds & Pick<EngineNeeds, 'store' | 'trees' | 'host'>
type Checking = Extract<VisitState, { type: 'checking' }>

/** Applies the end of a visit's check: the next check starts, all run again, or they have passed or failed. */
export async function advanceVisit(needs: Needs, visitId: VisitId): Promise<void> {
  const visit = await needs.store.read.visits.find(visitId)
  const run = visit === undefined ? undefined : await needs.store.read.runs.find(visit.runId)
  const job = run === undefined ? undefined : await needs.store.read.jobs.find(run.jobId)
  if (visit?.state.type !== 'checking' || visit.commit === undefined || job === undefined) return
  const { state, commit } = visit
  const judged = await judgeCheck(needs, {
    checked: ofVisit(visit, job),
    commands: job.plan.checks,
    progress: state,
    tree: {
      projectId: job.projectId,
      directory: treeOf(needs, visit.id),
      commit,
      setup: job.plan.setup ?? [],
    },
    ruleFor: async (command, { kind }) =>
      (await isTolerated(needs, job, { command, kind })) ? 'tolerate' : 'stop',
  })
  if (judged === undefined) return
  await needs.store.withJob(job.id, async (records, locked) => {
    const current = await records.visits.find(visitId)
    if (current?.state.type !== 'checking' || current.state.sessionId !== state.sessionId) return
    await apply(needs, records, locked, { visit: current, state, judged })
    needs.crash.reach('run.after-visit')
  })
}

type Judged = { readonly visit: Visit; readonly state: Checking; readonly judged: JudgedCheck }

async function apply(
  needs: Needs,
  records: Records,
  job: Job,
  { visit, state, judged }: Judged,
): Promise<void> {
  const { next } = judged
  if (next.type === 'run') {
    await storeVisit(records, visit, next.event)
    await next.check.insert(records)
    return
  }
  const run = await records.runs.find(visit.runId)
  if (run === undefined) return
  const answer = await answerOf(records, visit, state, judged)
  const outcome = next.type === 'end' ? 'pass' : 'fail'
  await settleVisit(needs, records, run, visit, { outcome, answer })
  await records.note({
    audit: { actor: 'engine', action: 'checks-end', subject: visit.id, detail: { outcome } },
    follow: [{ type: 'session-clear', sessionId: state.sessionId }],
  })
  await advanceRun(needs, records, job, run.id)
}

async function answerOf(
  records: Records,
  visit: Visit,
  state: Checking,
  { command, problem, next }: JudgedCheck,
): Promise<CheckAnswer> {
  const all = await records.visits.listOfRun(visit.runId)
  const made = all.findLast(({ work, commit }) => work !== undefined && commit === visit.commit)
  const size = made?.work === undefined ? undefined : countsOf(made.work.changes)
  return {
    passed: next.type === 'end' ? state.checkIndex + 1 : state.checkIndex,
    output: problem === undefined ? '' : `${command} ${problem.text}`,
    changedLines: size === undefined ? 0 : size.added + size.removed,
  }
}
