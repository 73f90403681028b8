import { isBranchName, ownBranchOf } from '../../domain/job/branch-name.ts'
import { goalProblem, taskListProblem } from '../../domain/job/document-problem.ts'
import type { Job, JobPlan } from '../../domain/job/job.ts'
import type { StartJobFailure } from '../../domain/job/start-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { ImportedBase, SourceRepository } from '../../ports/branches.ts'
import type { Project } from '../../ports/store/project-records.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { ensureProject } from '../projects/ensure-project.ts'
import { agentsOrDefault } from '../providers/default-agent.ts'
import { findAbsentCopies } from '../trees/find-absent-copies.ts'
import { beginChange } from './control-job.ts'
import { storeVersion } from './edit-document.ts'
import type { StartJobRequest } from './job-commands.ts'
import { planJob } from './plan-job.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'branches' | 'disk' | 'configuration' | 'providers' | 'clock' | 'ids' | 'settings'
>

/** Brings the repository into its hub and stores the job; with autoStart it begins at once. */
export async function startJob(
  needs: Needs,
  request: StartJobRequest,
  idempotencyKey?: string,
): Promise<Result<Job, StartJobFailure>> {
  const known =
    idempotencyKey === undefined ? undefined : await needs.store.read.jobs.findByKey(idempotencyKey)
  if (known !== undefined) return success(known)
  const refused = await refuse(needs, request)
  if (refused !== undefined) return failure(refused)
  const source = await needs.branches.inspectSource(request.repositoryPath)
  if (!source.ok) return source
  const configuration = await needs.configuration.read(source.value.path)
  if (!configuration.ok) return configuration
  const agents = await agentsOrDefault(needs, configuration.value.agents)
  const plan = planJob(needs, request, { ...configuration.value, agents })
  if (!plan.ok) return plan
  const project = await ensureProject(needs, source.value)
  const base = await needs.branches.importBase(project.id, source.value, request.baseBranch)
  if (!base.ok) return base
  const warnings = await findAbsentCopies(needs, source.value.path, plan.value.copy ?? [])
  const taken = await findTakenBranch(needs, project, source.value, request.workingBranch)
  if (taken !== undefined) return failure({ type: 'branch-taken', branch: taken })
  return success(
    await storeJob(needs, { request, plan: plan.value, project, base: base.value, warnings }, idempotencyKey),
  )
}

type Prepared = {
  readonly request: StartJobRequest
  readonly plan: JobPlan
  readonly project: Project
  readonly base: ImportedBase
  readonly warnings: readonly string[]
}

async function storeJob(needs: Needs, prepared: Prepared, idempotencyKey?: string): Promise<Job> {
  const { request, plan, project, base } = prepared
  const id = needs.ids.next('job')
  const now = needs.clock.now()
  const job: Job = {
    id,
    projectId: project.id,
    userId: request.user ?? needs.settings.userName,
    repositoryPath: project.path,
    baseBranch: base.branch,
    baseCommit: base.commit,
    workingBranch: request.workingBranch ?? ownBranchOf(id),
    requestDocument: request.requestDocument,
    taskList: '',
    wantedTasks: request.initialTaskList ?? '',
    plan,
    state: { type: 'pending' },
    currentCycle: 0,
    activeMs: 0,
    errorCount: 0,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  return await needs.store.transact(async (records) => {
    const stored = await records.jobs.insert(
      job,
      { audit: { actor: 'person', action: 'job-create', subject: id, detail: { project: project.id } } },
      idempotencyKey,
    )
    if (stored.id !== id) return stored
    await storeDocuments(needs, records, stored)
    if (!request.autoStart) return stored
    const begun = beginChange(stored, now, prepared.warnings)
    return begun.ok ? await records.jobs.save(begun.value.job, begun.value.change) : stored
  })
}

/** The first versions; the first cycle takes them up like any later one. */
async function storeDocuments(needs: Needs, records: Records, job: Job): Promise<void> {
  const { id: jobId, requestDocument, wantedTasks } = job
  await storeVersion(needs, records, { jobId, kind: 'goal', text: requestDocument, author: 'person' }, false)
  if (wantedTasks.trim() === '') return
  await storeVersion(needs, records, { jobId, kind: 'task-list', text: wantedTasks, author: 'person' }, false)
}

async function refuse(needs: Needs, request: StartJobRequest): Promise<StartJobFailure | undefined> {
  const problem = goalProblem(request.requestDocument) ?? taskListProblem(request.initialTaskList ?? '')
  if (problem !== undefined) return problem
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

/** A named working branch must be new in the hub and in the person's repository: nothing of theirs is moved. */
async function findTakenBranch(
  needs: Needs,
  project: Project,
  source: SourceRepository,
  branch: string | undefined,
): Promise<string | undefined> {
  if (branch === undefined) return undefined
  if ((await needs.branches.tip(project.id, branch)) !== undefined) return branch
  const open = await needs.store.read.jobs.listOpen()
  if (open.some((job) => job.projectId === project.id && job.workingBranch === branch)) return branch
  return (await needs.branches.importBase(project.id, source, branch)).ok ? branch : undefined
}
