import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import { isBranchName } from '../../domain/job/branch-name.ts'
import type { Job, JobPlan } from '../../domain/job/job.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Configuration } from '../../ports/configuration-source.ts'
import type { ImportedBase, SourceRepository } from '../../ports/hub.ts'
import type { Project } from '../../ports/store/project-records.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { ensureProject } from '../projects/ensure-project.ts'
import { agentsOrDefault } from '../providers/default-agent.ts'
import { beginChange } from './control-job.ts'
import type { StartJobFailure, StartJobRequest } from './job-commands.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'hub' | 'disk' | 'configuration' | 'providers' | 'clock' | 'ids' | 'settings'
>

const MAX_GOAL_BYTES = 1_500_000
const DEFAULTS = { maxCycles: 20, parallel: 3, attemptMinutes: 30, jobMinutes: 480, maxAttempts: 2 }

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
  const source = await needs.hub.inspect(request.repositoryPath)
  if (!source.ok) return source
  const configuration = await needs.configuration.read(source.value.path)
  if (!configuration.ok) return configuration
  const agents = await agentsOrDefault(needs, configuration.value.agents)
  const plan = planJob(needs, request, { ...configuration.value, agents })
  if (!plan.ok) return plan
  const project = await ensureProject(needs, source.value)
  const base = await needs.hub.importBase(project.id, source.value, request.baseBranch)
  if (!base.ok) return base
  const taken = await findTakenBranch(needs, project, source.value, request.workingBranch)
  if (taken !== undefined) return failure({ type: 'branch-taken', branch: taken })
  return success(
    await storeJob(needs, { request, plan: plan.value, project, base: base.value }, idempotencyKey),
  )
}

type Prepared = {
  readonly request: StartJobRequest
  readonly plan: JobPlan
  readonly project: Project
  readonly base: ImportedBase
}

async function storeJob(needs: Needs, prepared: Prepared, idempotencyKey?: string): Promise<Job> {
  const { request, plan, project, base } = prepared
  const id = needs.ids.next('job')
  const now = needs.clock.now()
  const job: Job = {
    id,
    projectId: project.id,
    userId: 'local',
    repositoryPath: project.path,
    baseBranch: base.branch,
    baseCommit: base.commit,
    workingBranch: request.workingBranch ?? `muster/${id}`,
    requestDocument: request.requestDocument,
    taskList: request.initialTaskList ?? '',
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
    if (!request.autoStart || stored.id !== id) return stored
    const begun = beginChange(stored, now)
    return begun.ok ? await records.jobs.save(begun.value.job, begun.value.change) : stored
  })
}

async function refuse(needs: Needs, request: StartJobRequest): Promise<StartJobFailure | undefined> {
  const bytes = new TextEncoder().encode(request.requestDocument).length
  if (request.requestDocument.trim() === '') return { type: 'goal-empty' }
  if (bytes > MAX_GOAL_BYTES) return { type: 'goal-too-large', bytes, limit: MAX_GOAL_BYTES }
  for (const branch of [request.baseBranch, request.workingBranch]) {
    if (branch !== undefined && !isBranchName(branch)) return { type: 'branch-invalid', branch }
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
  if ((await needs.hub.branchTip(project.id, branch)) !== undefined) return branch
  const open = await needs.store.read.jobs.listOpen()
  if (open.some((job) => job.projectId === project.id && job.workingBranch === branch)) return branch
  return (await needs.hub.importBase(project.id, source, branch)).ok ? branch : undefined
}

function planJob(
  needs: Needs,
  request: StartJobRequest,
  configuration: Configuration,
): Result<JobPlan, StartJobFailure> {
  const { limits, agents } = configuration
  const worker = chooseAgent(agents, 'worker', request.agent ?? configuration.worker)
  if (!worker.ok) return worker
  const planner = chooseAgent(agents, 'planner', request.planner ?? configuration.planner)
  if (!planner.ok) return planner
  const known = needs.providers.list()
  const stranger = agents.find((agent) => !known.includes(agent.provider))
  if (stranger !== undefined) return failure({ type: 'provider-unknown', provider: stranger.provider, known })
  return success({
    agents,
    worker: worker.value.name,
    planner: planner.value.name,
    sandbox: configuration.sandbox,
    checks: (request.checks ?? configuration.checks).filter((command) => command.trim() !== ''),
    limits: {
      maxCycles: request.maxCycles ?? limits.maxCycles ?? DEFAULTS.maxCycles,
      timeLimitMinutes: request.timeLimitMinutes ?? limits.jobMinutes ?? DEFAULTS.jobMinutes,
      maxParallelTasks: request.maxParallelTasks ?? limits.parallel ?? DEFAULTS.parallel,
      attemptMinutes: limits.attemptMinutes ?? DEFAULTS.attemptMinutes,
      maxAttempts: DEFAULTS.maxAttempts,
    },
  })
}

/** The named agent, or the first that has the role. */
function chooseAgent(
  agents: readonly AgentSpec[],
  role: string,
  name: string | undefined,
): Result<AgentSpec, StartJobFailure> {
  const known = agents.map((agent) => agent.name)
  if (name !== undefined) {
    const named = agents.find((agent) => agent.name === name)
    return named === undefined ? failure({ type: 'agent-unknown', agent: name, known }) : success(named)
  }
  const fitting = agents.find((agent) => agent.roles.includes(role))
  return fitting === undefined ? failure({ type: 'agent-absent', role }) : success(fitting)
}
