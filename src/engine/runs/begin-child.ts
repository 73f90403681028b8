import type { Job } from '../../domain/job/job.ts'
import { RUN_LIMITS } from '../../domain/limits/run-limits.ts'
import type { ChildStage } from '../../domain/playbook/stage.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { readChildInputs } from '../../domain/run/child-inputs.ts'
import type { ContinuedWork, Run } from '../../domain/run/run.ts'
import { newestWork } from '../../domain/run/run-work.ts'
import type { Visit } from '../../domain/run/visit.ts'
import type { Records } from '../../ports/store/store.ts'
import type { LoadedRun } from '../loaded-runs/load-run.ts'
import { answerText } from '../prompts/answer-text.ts'
import { insertRun, type RunRequest } from './insert-run.ts'
import type { RunNeeds } from './run-needs.ts'
import { settleVisit, storeVisit } from './store-visit.ts'

/**
 * Starts a run of another playbook, which the visit waits for. It continues the work of this run, and what it makes
 * becomes this run's work.
 */
export async function beginChild(
  needs: RunNeeds,
  records: Records,
  job: Job,
  loaded: LoadedRun,
  visit: Visit,
  stage: ChildStage,
): Promise<Visit> {
  const { run } = loaded
  const request = await requestOf(records, job, loaded, stage)
  if (!request.ok) {
    const result = { outcome: 'failed', problem: request.failure } as const
    return (await settleVisit(needs, records, run, visit, result)) ?? visit
  }
  const continues = continuedWork(loaded)
  const place = { parentId: visit.id, ...(continues === undefined ? {} : { continues }) }
  const child = await insertRun(needs, records, request.value, place)
  const begun = await storeVisit(records, visit, { type: 'child-start', runId: child.id }, [
    { type: 'run-advance', runId: child.id },
  ])
  needs.crash.reach('run.before-child')
  return begun ?? visit
}

async function requestOf(
  records: Records,
  job: Job,
  { run, visits }: LoadedRun,
  stage: ChildStage,
): Promise<Result<RunRequest, string>> {
  const name = stage.playbook
  const chosen = run.children?.[name]
  const pinned = chosen === undefined ? undefined : await records.pinnedPlaybooks.find(chosen.hash)
  const task = await records.tasks.find(run.taskId)
  if (chosen === undefined || pinned === undefined || task === undefined) {
    return failure(`the playbook "${name}" was not pinned when the run started`)
  }
  if ((await depthOf(records, run)) >= RUN_LIMITS.depth) {
    return failure(`playbooks may follow each other at most ${RUN_LIMITS.depth} levels deep`)
  }
  const read = readChildInputs(pinned.playbook, stage, { ...run, visits }, answerText)
  if (!read.ok) return failure(`the playbook "${name}" can't start: ${read.failure}`)
  const { hash, cast } = chosen
  const own = { playbook: { name, hash }, cast, ...read.value, head: run.baseCommit }
  return success({ job, task, ...own, ...(run.children === undefined ? {} : { children: run.children }) })
}

/** How many runs there are from the outermost one to this one. */
async function depthOf(records: Records, run: Run): Promise<number> {
  const waiting = run.parentId === undefined ? undefined : await records.visits.find(run.parentId)
  const parent = waiting === undefined ? undefined : await records.runs.find(waiting.runId)
  return parent === undefined ? 1 : 1 + (await depthOf(records, parent))
}

function continuedWork({ run, visits, pinned }: LoadedRun): ContinuedWork | undefined {
  const work = newestWork(pinned.playbook, visits)
  if (work?.by.work === undefined) return run.continues
  const { files, commits } = work.by.work
  return { commit: work.commit, files, commits }
}
