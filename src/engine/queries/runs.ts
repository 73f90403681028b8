import type { GateAction } from '../../domain/approval/approval-action.ts'
import type { Playbook } from '../../domain/playbook/playbook.ts'
import { isComplete } from '../../domain/playbook/route.ts'
import { type Result, success } from '../../domain/result.ts'
import type { Degradation } from '../../domain/run/degradation.ts'
import { type NextCommand, nextCommands } from '../../domain/run/next-commands.ts'
import type { Run } from '../../domain/run/run.ts'
import { errorsOf, type RunError } from '../../domain/run/run-errors.ts'
import { progressOf } from '../../domain/run/run-progress.ts'
import type { Visit } from '../../domain/run/visit.ts'
import { loadDegradation } from '../loaded-runs/load-degradation.ts'
import { loadRun } from '../loaded-runs/load-run.ts'
import { shownTexts } from '../runs/shown-texts.ts'
import { findNamedJob, findRecord, type JobNotFound, type NotFound, type Reads } from './find-record.ts'
import { hasUnlandedWork } from './has-unlanded-work.ts'
import { type Page, type PageInput, pageOf, recentCount } from './page.ts'

export type RunsInput = PageInput & { readonly job?: string | undefined }

/** A run with its visits, and the documents of its result so far. */
export type RunView = {
  readonly run: Run
  readonly visits: readonly Visit[]
  /** The playbook as it was when the run started. */
  readonly playbook: Playbook
  /** From 0 to 1; it never decreases. */
  readonly progress: number
  readonly documents: GateAction['shows']
  /** The runs that its visits started. */
  readonly children: readonly RunView[]
  /** What went wrong so far, oldest first. */
  readonly errors: readonly RunError[]
  /** What to do about a run that waits, that left documents, or that ended badly. */
  readonly next: readonly NextCommand[]
  /** What an ended run did without. */
  readonly degradation?: Degradation
}

/** A job's runs, oldest first, or the newest of all jobs. Each contains the runs within it. */
export async function listRuns(
  needs: Reads,
  { job: jobText, ...page }: RunsInput,
): Promise<Result<Page<RunView>, JobNotFound>> {
  const job = await findNamedJob(needs, jobText)
  if (!job.ok) return job
  const { runs } = needs.store.read
  const found =
    job.value === undefined ? await runs.listRecent(recentCount(page)) : await runs.listOfJob(job.value.id)
  const cut = pageOf(
    found.filter(({ parentId }) => parentId === undefined),
    page,
  )
  return success({ ...cut, items: await Promise.all(cut.items.map((run) => viewRun(needs, run))) })
}

export async function showRun(needs: Reads, id: string): Promise<Result<RunView, NotFound>> {
  const run = await findRecord('run', id, (runId) => needs.store.read.runs.find(runId))
  return run.ok ? success(await viewRun(needs, run.value)) : run
}

/** The playbook of a run as it was when the run started. */
export async function showRunPlaybook({ store }: Reads, id: string): Promise<Result<Playbook, NotFound>> {
  const loaded = await findRecord('run', id, (runId) => loadRun(store.read, runId))
  return loaded.ok ? success(loaded.value.pinned.playbook) : loaded
}

export async function viewRun(needs: Reads, run: Run): Promise<RunView> {
  const { read } = needs.store
  const [visits, pinned] = await Promise.all([
    read.visits.listOfRun(run.id),
    read.pinnedPlaybooks.find(run.playbook.hash),
  ])
  if (pinned === undefined) throw new Error(`run ${run.id} has lost its playbook ${run.playbook.name}`)
  const { playbook } = pinned
  const followers = visits.filter(({ stage }) => playbook.stages[stage]?.type === 'playbook')
  const children = await Promise.all(followers.map(({ id }) => read.runs.listOfParent(id)))
  const errors = errorsOf(playbook, visits)
  const documents = shownTexts(run, visits, playbook.result.documents, Number.POSITIVE_INFINITY)
  const degradation = await loadDegradation(read, { run, visits, playbook })
  return {
    run,
    visits,
    playbook,
    progress: progressOf(playbook, run, visits),
    documents,
    errors,
    next: nextCommands({
      ...{ run, playbook, visits, errors },
      hasDocuments: documents.length > 0,
      hasUnlandedWork: mayRecover(run) && (await hasUnlandedWork(needs, run)),
    }),
    ...(degradation === undefined ? {} : { degradation }),
    children: await Promise.all(children.flat().map((child) => viewRun(needs, child))),
  }
}

function mayRecover({ state }: Run): boolean {
  return state.type === 'cancelled' || (state.type === 'ended' && !isComplete(state.end))
}
