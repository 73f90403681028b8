import type { RunId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { editPlaybook } from '../../domain/playbook/edit-playbook.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { findEntry } from '../../domain/run/fork-point.ts'
import type { Run, RunOrigin } from '../../domain/run/run.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { PinnedPlaybook } from '../../ports/store/pinned-playbook-records.ts'
import type { Records } from '../../ports/store/store.ts'
import { canonicalDigest } from '../canonical-digest.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { type LoadedRun, loadRun } from '../loaded-runs/load-run.ts'
import { readTrusted } from '../trust/read-trusted.ts'
import type { ContinueFailure, ForkRequest, StartJobRequest } from './job-commands.ts'
import { planJob } from './plan-job.ts'
import { foldersOf, insertJob, newJob, refuseJob } from './start-job.ts'

export type ForkNeeds = Pick<
  EngineNeeds,
  | 'store'
  | 'branches'
  | 'history'
  | 'disk'
  | 'configuration'
  | 'providers'
  | 'clock'
  | 'ids'
  | 'crash'
  | 'settings'
  | 'wakeAt'
>

/**
 * Starts a job whose run takes the visits of another run up to one of them, and does the rest anew. Nothing exists if it
 * can't start, and the other run isn't touched.
 */
export async function forkRun(
  needs: ForkNeeds,
  runId: RunId,
  { at, ...edit }: ForkRequest,
  idempotencyKey?: string,
): Promise<Result<Job, ContinueFailure>> {
  const loaded = await loadRun(needs.store.read, runId)
  if (loaded === undefined) return failure({ type: 'not-found', what: 'run', id: runId })
  const refused = (problem: string) => failure({ type: 'fork-refused', runId, problem } as const)
  if (loaded.run.parentId !== undefined) {
    return refused('another run started it, so only that one can be forked')
  }
  const ordinal = findEntry(loaded.visits, at)
  if (!ordinal.ok) return refused(ordinal.failure)
  const edited = editPlaybook(loaded.pinned, edit)
  if (!edited.ok) return refused(edited.failure)
  const isChanged = [edit.prompts, edit.agents, edit.skip].some((part) => Object.keys(part).length > 0)
  const hash = isChanged ? canonicalDigest({ from: loaded.pinned.hash, edit }) : loaded.pinned.hash
  const pinned: PinnedPlaybook = { ...edited.value, hash, name: loaded.pinned.name }
  return await continueElsewhere(
    needs,
    loaded,
    { origin: { runId, ordinal: ordinal.value }, pinned, named: Object.values(edit.agents) },
    idempotencyKey,
  )
}

type Continuation = {
  readonly origin: RunOrigin
  readonly pinned: PinnedPlaybook
  /** The agents that the person named for its roles. */
  readonly named?: readonly string[]
  /** A job that already does what is asked for. It is looked for under the lock of the other job. */
  readonly instead?: (records: Records) => Promise<Job | undefined>
}

/** Starts a job that continues from a run of another job, with the same goal, base, checks and limits. */
export async function continueElsewhere(
  needs: ForkNeeds,
  { run }: LoadedRun,
  { origin, pinned, named, instead }: Continuation,
  idempotencyKey?: string,
): Promise<Result<Job, ContinueFailure>> {
  const known =
    idempotencyKey === undefined ? undefined : await needs.store.read.jobs.findByKey(idempotencyKey)
  if (known !== undefined) return success(known)
  const old = await needs.store.read.jobs.find(run.jobId)
  const project = old === undefined ? undefined : await needs.store.read.projects.find(old.projectId)
  if (old === undefined || project === undefined)
    return failure({ type: 'not-found', what: 'run', id: run.id })
  const request = requestLike(old, run.goal)
  const refused = await refuseJob(needs, request)
  if (refused !== undefined) return failure(refused)
  const source = await needs.branches.inspectSource(old.repositoryPath)
  if (!source.ok) return source
  const configuration = await readTrusted(needs, source.value.path)
  if (!configuration.ok) return configuration
  const from = old.plan.approach?.from
  const children = await childrenOf(needs, run)
  const chosen = { folder: pinned, children, inputs: run.inputs, ...withoutUndefined({ from, named }) }
  const plan = await planJob(needs, request, configuration.value, {
    repositoryPath: source.value.path,
    playbook: chosen,
    taskPlaybook: undefined,
  })
  if (!plan.ok) return plan
  const prepared = {
    request,
    project,
    plan: withOrigin(plan.value, origin, old),
    base: { branch: old.baseBranch, commit: run.baseCommit },
    warnings: [],
    playbooks: foldersOf(chosen),
  }
  const job = newJob(needs, prepared)
  // The lock keeps the other job from being deleted before this one holds it.
  const stored = await needs.store.withJob(
    old.id,
    async (records) =>
      (await instead?.(records)) ?? (await insertJob(needs, records, job, prepared, idempotencyKey)),
  )
  return stored === undefined ? failure({ type: 'not-found', what: 'run', id: run.id }) : success(stored)
}

/** The playbooks that stages can follow stay as they were, too. */
async function childrenOf({ store }: ForkNeeds, { children = {} }: Run): Promise<readonly PinnedPlaybook[]> {
  const hashes = Object.values(children).map(({ hash }) => hash)
  const found = await Promise.all(hashes.map((hash) => store.read.pinnedPlaybooks.find(hash)))
  return found.filter((one) => one !== undefined)
}

function requestLike({ repositoryPath, plan, userId }: Job, goal: string): StartJobRequest {
  const { checks, mode, failingBase, limits } = plan
  return {
    repositoryPath,
    requestDocument: goal,
    checks,
    user: userId,
    autoStart: true,
    ...withoutUndefined({
      // Only the stages of a playbook decide who reviews its work.
      mode: mode === 'review' ? 'auto' : mode,
      failingBase,
      timeLimitMinutes: limits.timeLimitMinutes,
      budgetUsd: limits.budgetUsd,
    }),
  }
}

function withOrigin(plan: Job['plan'], origin: RunOrigin, { plan: { snapshot } }: Job): Job['plan'] {
  const { approach } = plan
  if (approach === undefined) throw new Error('a fork was planned without its playbook')
  return { ...plan, approach: { ...approach, origin }, ...withoutUndefined({ snapshot }) }
}
