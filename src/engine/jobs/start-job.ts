import { jobStarted } from '../../domain/event/job-events.ts'
import type { JobId } from '../../domain/id.ts'
import { isBranchName, ownBranchOf } from '../../domain/job/branch-name.ts'
import type { Job, JobPlan } from '../../domain/job/job.ts'
import { goalProblem, taskListProblem } from '../../domain/job/job-document.ts'
import { nextJobState } from '../../domain/job/next-job-state.ts'
import type { PlaybookStartFailure, StartJobFailure } from '../../domain/job/start-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { IllegalTransition } from '../../domain/transition.ts'
import type { ImportedBase, SourceRepository } from '../../ports/branches.ts'
import type { Configuration } from '../../ports/configuration-source.ts'
import type { Project } from '../../ports/store/project-records.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { ensureProject } from '../projects/ensure-project.ts'
import { readTrusted } from '../trust/read-trusted.ts'
import { checkBase } from './check-base.ts'
import { reviewsEverything } from './choose-reviewer.ts'
import type { JobControlFailure, PlaybookRequest, StartJobRequest } from './job-commands.ts'
import { storeVersion } from './job-documents.ts'
import { planJob } from './plan-job.ts'
import {
  type ChosenPlaybook,
  type PinnableFolder,
  pinnedOf,
  readPlaybook,
  readReviewed,
} from './read-playbook.ts'
import { modeOf, reviewWarnings } from './review-by-playbook.ts'
import { startCycle } from './start-cycle.ts'
import { takeSnapshot } from './take-snapshot.ts'

type Needs = Pick<
  EngineNeeds,
  | 'store'
  | 'branches'
  | 'history'
  | 'disk'
  | 'configuration'
  | 'playbooks'
  | 'providers'
  | 'clock'
  | 'ids'
  | 'crash'
  | 'settings'
  | 'wakeAt'
>

type StartNeeds = Pick<EngineNeeds, 'store' | 'history' | 'clock' | 'ids' | 'crash' | 'settings' | 'wakeAt'>

/** Imports the repository's base into its hub and creates the job. With autoStart, the job starts at once. */
export async function startJob(
  needs: Needs,
  request: StartJobRequest,
  idempotencyKey?: string,
): Promise<Result<Job, StartJobFailure>> {
  const known =
    idempotencyKey === undefined ? undefined : await needs.store.read.jobs.findByKey(idempotencyKey)
  if (known !== undefined) return success(known)
  const refused = await refuseJob(needs, request)
  if (refused !== undefined) return failure(refused)
  const source = await needs.branches.inspectSource(request.repositoryPath)
  if (!source.ok) return source
  const configuration = await readTrusted(needs, source.value.path)
  if (!configuration.ok) return configuration
  const playbooks = await readPlaybooks(needs, request, configuration.value, source.value.path)
  if (!playbooks.ok) return playbooks
  const plan = await planJob(needs, request, configuration.value, {
    repositoryPath: source.value.path,
    ...playbooks.value,
  })
  if (!plan.ok) return plan
  const project = await ensureProject(needs, source.value)
  const base = await needs.branches.importBase(project.id, source.value, request.baseBranch)
  if (!base.ok) return base
  const snapshot = await takeSnapshot(needs, request, {
    project,
    source: source.value,
    base: base.value,
    plan: plan.value,
  })
  if (!snapshot.ok) return snapshot
  const warnings = [
    ...(await findAbsentCopies(needs, source.value.path, plan.value.copy ?? [])),
    ...snapshot.value.warnings,
    ...reviewWarnings(request, configuration.value),
  ]
  const taken = await findTakenBranch(needs, project, source.value, request.workingBranch)
  if (taken !== undefined) return failure({ type: 'branch-taken', branch: taken })
  const folders = Object.values(playbooks.value).flatMap(foldersOf)
  const prepared = { request, project, ...snapshot.value, warnings, playbooks: folders }
  const job = newJob(needs, prepared)
  return success(
    await needs.store.transact((records) => insertJob(needs, records, job, prepared, idempotencyKey)),
  )
}

type Playbooks = Omit<Parameters<typeof planJob>[3], 'repositoryPath'>

/**
 * The playbook of the goal, or else those of the tasks: the one that was asked for or configured, and the one of a job
 * that reviews everything.
 */
async function readPlaybooks(
  needs: Needs,
  request: StartJobRequest,
  configuration: Configuration,
  repositoryPath: string,
): Promise<Result<Playbooks, PlaybookStartFailure>> {
  const read = async (asked: PlaybookRequest | undefined) =>
    asked === undefined ? success(undefined) : await readPlaybook(needs, asked, repositoryPath)
  const playbook = await read(request.playbook)
  if (!playbook.ok || playbook.value !== undefined) {
    return playbook.ok ? success({ playbook: playbook.value, taskPlaybook: undefined }) : playbook
  }
  const { playbook: name, roles } = configuration
  const configured = name === undefined ? undefined : { name, inputs: {} }
  const taskPlaybook = await read(request.taskPlaybook ?? configured)
  if (!taskPlaybook.ok) return taskPlaybook
  const planned = { playbook: undefined, taskPlaybook: taskPlaybook.value }
  if (!reviewsEverything(modeOf(request, configuration), roles)) return success(planned)
  const reviews = await readReviewed(needs, repositoryPath)
  return reviews.ok ? success({ ...planned, reviews: reviews.value }) : reviews
}

export type PreparedJob = {
  readonly request: StartJobRequest
  readonly plan: JobPlan
  readonly project: Project
  readonly base: ImportedBase
  readonly warnings: readonly string[]
  /** The playbook that the job follows, and those that its stages can follow. */
  readonly playbooks: readonly PinnableFolder[]
}

export function newJob(needs: Pick<Needs, 'ids' | 'clock' | 'settings'>, prepared: PreparedJob): Job {
  const { request, plan, project, base } = prepared
  const id = needs.ids.next('job')
  const now = needs.clock.now()
  const { redact } = needs.settings.redaction
  return {
    id,
    projectId: project.id,
    userId: request.user ?? needs.settings.userName,
    repositoryPath: project.path,
    baseBranch: base.branch,
    baseCommit: base.commit,
    workingBranch: request.workingBranch ?? ownBranchOf(id),
    requestDocument: redact(request.requestDocument),
    taskList: '',
    requestedTasks: redact(request.initialTaskList ?? ''),
    plan,
    state: { type: 'pending' },
    currentCycle: 0,
    activeMs: 0,
    errorCount: 0,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

/** Stores a new job with everything that it starts with. If the key is known, its job is returned instead. */
export async function insertJob(
  needs: StartNeeds,
  records: Records,
  job: Job,
  { request, playbooks, warnings }: PreparedJob,
  idempotencyKey?: string,
): Promise<Job> {
  const { id, projectId } = job
  const stored = await records.jobs.insert(
    job,
    { audit: { actor: 'person', action: 'job-create', subject: id, detail: { project: projectId } } },
    idempotencyKey,
  )
  if (stored.id !== id) return stored
  for (const folder of playbooks) await records.pinnedPlaybooks.pin(pinnedOf(folder))
  await storeDocuments(needs, records, stored)
  if (!request.autoStart) return stored
  const started = await start(needs, records, stored, warnings)
  return started.ok ? started.value : stored
}

export function foldersOf(chosen: ChosenPlaybook | undefined): readonly PinnableFolder[] {
  return chosen === undefined ? [] : [chosen.folder, ...chosen.children]
}

/** Starts a job that was created with autoStart false. */
export async function startPendingJob(
  needs: StartNeeds,
  jobId: JobId,
): Promise<Result<Job, JobControlFailure>> {
  const started = await needs.store.withJob(jobId, (records, job) => start(needs, records, job))
  return started ?? failure({ type: 'job-not-found', jobId })
}

/**
 * Starts a job together with its first cycle and its planner's attempt, or with the checks of its base, which come
 * first. The work that follows makes its branch.
 */
async function start(
  needs: StartNeeds,
  records: Records,
  job: Job,
  warnings: readonly string[] = [],
): Promise<Result<Job, IllegalTransition>> {
  const state = nextJobState(job.state, { type: 'job-start' })
  if (!state.ok) return state
  const now = needs.clock.now()
  const started = await records.jobs.save(
    { ...job, state: state.value, startedAt: now, runningSince: now, updatedAt: now },
    {
      audit: { actor: 'person', action: 'job-start', subject: job.id, detail: {} },
      events: [jobStarted(job, warnings)],
      follow: [
        { type: 'job-advance', jobId: job.id },
        { type: 'trees-warm', projectId: job.projectId },
      ],
    },
  )
  const checked = await checkBase(needs, records, started)
  if (checked.base?.type !== 'checking') {
    await startCycle(needs, records, checked, 1, checked.baseCommit)
  }
  needs.crash.reach('job-start.before-commit')
  return success((await records.jobs.find(job.id)) ?? started)
}

/** Stores the first versions, which the first cycle applies like any later version. */
async function storeDocuments(needs: StartNeeds, records: Records, job: Job): Promise<void> {
  const { id: jobId, requestDocument, requestedTasks } = job
  await storeVersion(needs, records, { jobId, kind: 'goal', text: requestDocument, author: 'person' }, false)
  if (requestedTasks.trim() === '') return
  await storeVersion(
    needs,
    records,
    { jobId, kind: 'task-list', text: requestedTasks, author: 'person' },
    false,
  )
}

/** Why a job can't be started as asked for, as far as that is known without looking at its repository. */
export async function refuseJob(
  needs: Pick<Needs, 'settings' | 'disk'>,
  request: StartJobRequest,
): Promise<StartJobFailure | undefined> {
  const problem = goalProblem(request.requestDocument) ?? taskListProblem(request.initialTaskList ?? '')
  if (problem !== undefined) return problem
  if (request.playbook !== undefined && request.mode === 'review') return { type: 'review-by-playbook' }
  const branches = { base: request.baseBranch, working: request.workingBranch }
  for (const use of ['base', 'working'] as const) {
    const branch = branches[use]
    if (branch !== undefined && !isBranchName(branch)) return { type: 'branch-invalid', branch, use }
  }
  const path = needs.settings.treesDirectory
  const freeMb = await needs.disk.freeMb(path)
  const neededMb = needs.settings.minimumFreeMb
  return freeMb < neededMb ? { type: 'disk-nearly-full', path, freeMb, neededMb } : undefined
}

/** A named working branch must be new in the hub and in the person's repository, so that no work is overwritten. */
async function findTakenBranch(
  needs: Needs,
  project: Project,
  source: SourceRepository,
  branch: string | undefined,
): Promise<string | undefined> {
  if (branch === undefined) return undefined
  const open = await needs.store.read.jobs.listOpen()
  if (open.some((job) => job.projectId === project.id && job.workingBranch === branch)) return branch
  return await needs.branches.findTaken(project.id, source, branch)
}

const MOST_NAMED = 5

/** Warns about files that every tree should get but the person's checkout doesn't have. */
async function findAbsentCopies(
  { disk }: Pick<EngineNeeds, 'disk'>,
  repositoryPath: string,
  copies: readonly string[],
): Promise<readonly string[]> {
  const found = await Promise.all(copies.map((path) => disk.exists(`${repositoryPath}/${path}`)))
  const absent = copies.filter((_, index) => !found[index])
  if (absent.length === 0) return []
  const names = absent.slice(0, MOST_NAMED).join(', ')
  const more = absent.length > MOST_NAMED ? ` and ${absent.length - MOST_NAMED} more` : ''
  return [`not copied because your checkout does not have them: ${names}${more}`]
}
