import type { ProjectId } from '../../../domain/id.ts'
import { LIST_LIMITS } from '../../../domain/limits/list-limits.ts'
import type { FileChange } from '../../../domain/repository/file-change.ts'
import { type Result, success } from '../../../domain/result.ts'
import { compareVisits, type VisitPair } from '../../../domain/run/compare-visits.ts'
import { resultOfRun, startOfRun } from '../../../domain/run/run-work.ts'
import type { Clock } from '../../../ports/clock.ts'
import { findRecord } from '../find-record.ts'
import { type Effort, effortOf, type RunResult, resultOf } from '../run-result.ts'
import { type RunView, viewRun } from '../runs.ts'
import type { DiffFailure, DiffNeeds, WorkDiff } from './work-diff.ts'

export type CompareInput = {
  readonly a: string
  readonly b: string
  /** Whether the texts of the files are compared, too. */
  readonly withPatch: boolean
}

export type ComparedRun = {
  readonly view: RunView
  readonly result: RunResult
  readonly effort: Effort
  /** Its work; absent if it has made none. */
  readonly commit?: string
}

/** Who changed a file that differs between the two results. `base`: the runs started from different commits. */
export type ChangedBy = 'a' | 'b' | 'both' | 'base'

export type RunComparison = {
  readonly a: ComparedRun
  readonly b: ComparedRun
  readonly visits: readonly VisitPair[]
  /** Absent if there is nothing to compare; then `withoutWork` is why. */
  readonly work?: WorkDiff
  readonly withoutWork?: 'no-work' | 'other-project'
  /** For each file of `work`. */
  readonly changedBy: Readonly<Record<string, ChangedBy>>
}

type Needs = DiffNeeds & { readonly clock: Clock }

/** Compares what two runs did and what they made. The trees of agents aren't read: all work is in the hub. */
export async function compareRuns(
  needs: Needs,
  { a, b, withPatch }: CompareInput,
): Promise<Result<RunComparison, DiffFailure>> {
  const one = await findCompared(needs, a)
  if (!one.ok) return one
  const other = await findCompared(needs, b)
  if (!other.ok) return other
  const compared = { a: one.value, b: other.value }
  const visits = compareVisits(one.value.view.visits, other.value.view.visits)
  const projects = await Promise.all([projectOf(needs, one.value), projectOf(needs, other.value)])
  const [projectId, second] = projects
  if (projectId === undefined || projectId !== second)
    return success({ ...compared, visits, withoutWork: 'other-project', changedBy: {} })
  if (one.value.commit === undefined && other.value.commit === undefined)
    return success({ ...compared, visits, withoutWork: 'no-work', changedBy: {} })
  const work = await compareWork(needs, projectId, compared, withPatch)
  return work.ok ? success({ ...compared, visits, ...work.value }) : work
}

async function findCompared(needs: Needs, id: string): Promise<Result<ComparedRun, DiffFailure>> {
  const run = await findRecord('run', id, (runId) => needs.store.read.runs.find(runId))
  if (!run.ok) return run
  const view = await viewRun(needs, run.value)
  const [result, effort] = await Promise.all([resultOf(needs, view), effortOf(needs, view)])
  const commit = resultOfRun(view.playbook, view.run, view.visits)?.commit
  return success({ view, result, effort, ...(commit === undefined ? {} : { commit }) })
}

async function projectOf({ store }: Needs, { view }: ComparedRun): Promise<ProjectId | undefined> {
  return (await store.read.jobs.find(view.run.jobId))?.projectId
}

/** A run without work is compared with what it started from. */
async function compareWork(
  needs: Needs,
  projectId: ProjectId,
  { a, b }: Pick<RunComparison, 'a' | 'b'>,
  withPatch: boolean,
): Promise<Result<Pick<RunComparison, 'work' | 'changedBy'>, DiffFailure>> {
  const { diff } = needs.history
  const [from, to] = [tipOf(a), tipOf(b)]
  const between = await diff(projectId, from, to, withPatch ? LIST_LIMITS.patchBytes : 0)
  if (!between.ok) return between
  const byA = await diff(projectId, startOfRun(a.view.run), from, 0)
  if (!byA.ok) return byA
  const byB = await diff(projectId, startOfRun(b.view.run), to, 0)
  if (!byB.ok) return byB
  const { files, patch, isCut } = between.value
  const shown = files.slice(0, LIST_LIMITS.patchFiles)
  const changed = { a: pathsOf(byA.value.files), b: pathsOf(byB.value.files) }
  return success({
    work: {
      ...{ subject: a.view.run.id, from, to, files: shown },
      omittedFiles: files.length - shown.length,
      ...(withPatch ? { patch, isCut } : { patch: '', isCut: false }),
      gitDirectory: `${needs.settings.hubsDirectory}/${projectId}.git`,
    },
    changedBy: Object.fromEntries(shown.map((file) => [file.path, changerOf(file, changed)])),
  })
}

function tipOf({ commit, view }: ComparedRun): string {
  return commit ?? startOfRun(view.run)
}

function pathsOf(files: readonly FileChange[]): ReadonlySet<string> {
  return new Set(files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])))
}

type Changed = Readonly<Record<'a' | 'b', ReadonlySet<string>>>

function changerOf({ path, from }: FileChange, changed: Changed): ChangedBy {
  const paths = from === undefined ? [path] : [path, from]
  const isIn = (side: 'a' | 'b') => paths.some((name) => changed[side].has(name))
  if (isIn('a') && isIn('b')) return 'both'
  if (isIn('a')) return 'a'
  return isIn('b') ? 'b' : 'base'
}
