import type { Attempt } from '../../domain/attempt/attempt.ts'
import { attemptRulesOf, taskIdOf } from '../../domain/attempt/attempt-purpose.ts'
import { whyUnlanded } from '../../domain/attempt/why-unlanded.ts'
import type { ProjectId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import { supersededBy } from '../../domain/report/superseded-by.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Task } from '../../domain/task/task.ts'
import { landedCommit } from '../../domain/task/task-state.ts'
import type { Pin, PinOwner } from '../../ports/pins.ts'
import type { EngineNeeds } from '../engine-needs.ts'

/**
 * What became of pinned work that is not on the working branch. `unlanded`: it is only here. `superseded`: another
 * attempt at its task landed, or the task that merged it after a conflict did. `scratch`: an agent that plans or reviews changed files, which no one asked for.
 * `restored`: a branch of the person's repository has it.
 */
export type PinnedFate = 'unlanded' | 'superseded' | 'scratch' | 'restored'

/** Work that a pin keeps and that did not land. */
export type PinnedWork = {
  readonly id: PinOwner
  readonly projectId: ProjectId
  readonly commit: string
  /** The commit that the work started from. */
  readonly base: string
  /** Where the job or session was started. */
  readonly repositoryPath: string
  readonly job?: Job
  readonly task?: Task
  readonly agent: string
  readonly fate: PinnedFate
  readonly reason: string
  /** Why it must not be used unless the person asks for it explicitly. */
  readonly refusal?: string
  readonly at: Date
}

type Needs = Pick<EngineNeeds, 'store' | 'branches' | 'history'>

/** The work behind these pins of one job, without what landed or is empty. In the order of the pins. */
export async function findWorkOfJob(
  needs: Needs,
  job: Job,
  pins: readonly Pin[],
): Promise<readonly PinnedWork[]> {
  const { read } = needs.store
  const attempts = (await read.attempts.listOfJob(job.id)).map((attempt) => [attempt.id, attempt] as const)
  const attemptOf = new Map<string, Attempt>(attempts)
  const tasks = await read.tasks.listOfJob(job.id)
  const landings = await read.landings.listOfJob(job.id)
  const head = await needs.branches.tip(job.projectId, job.workingBranch)
  const found: PinnedWork[] = []
  for (const pin of pins) {
    const attempt = attemptOf.get(pin.id)
    if (attempt === undefined) continue
    const landing = landings.findLast(({ attemptId }) => attemptId === attempt.id)
    const base = attempt.baseCommit ?? job.baseCommit
    if (pin.commit === base || landing?.state.type === 'landed') continue
    if (await isInHistory(needs, job, pin.commit, head)) continue
    const task = tasks.find(({ id }) => id === taskIdOf(attempt))
    const hasLanded = task !== undefined && landedCommit(task.state) !== undefined
    const isSuperseded = hasLanded || (task && supersededBy(tasks, task)) !== undefined
    found.push(workOf(job, pin, { attempt, landing, task, isSuperseded }))
  }
  return await withRestored(needs, job.repositoryPath, found)
}

/** Whether work is on the working branch, or is part of the base. */
async function isInHistory(
  { history }: Needs,
  { projectId, baseCommit }: Job,
  commit: string,
  head: string | undefined,
): Promise<boolean> {
  return await history.isAncestor(projectId, commit, head ?? baseCommit)
}

type Facts = {
  readonly attempt: Attempt
  readonly landing: Landing | undefined
  readonly task: Task | undefined
  readonly isSuperseded: boolean
}

function workOf(job: Job, pin: Pin, facts: Facts): PinnedWork {
  const { attempt, task } = facts
  return {
    id: pin.id,
    projectId: job.projectId,
    commit: pin.commit,
    base: attempt.baseCommit ?? job.baseCommit,
    repositoryPath: job.repositoryPath,
    job,
    ...(task === undefined ? {} : { task }),
    agent: attempt.agent.name,
    fate: fateOf(facts),
    reason: whyUnlanded(facts),
    ...refusalIn(pin),
    at: attempt.endedAt ?? attempt.createdAt,
  }
}

function fateOf({ attempt, isSuperseded }: Facts): PinnedFate {
  if (!attemptRulesOf(attempt).makesWork) return 'scratch'
  return isSuperseded ? 'superseded' : 'unlanded'
}

/** The work that a session outside any job left, unless its branch was delivered. */
export async function findWorkOfSession(
  needs: Needs,
  session: Session,
  pin: Pin,
): Promise<readonly PinnedWork[]> {
  const { purpose } = session
  if (purpose.type !== 'personal' || pin.commit === purpose.baseCommit) return []
  const { projectId, repositoryPath, baseCommit: base } = purpose
  const work: PinnedWork = {
    id: pin.id,
    projectId,
    commit: pin.commit,
    base,
    repositoryPath,
    agent: session.agentName,
    fate: 'unlanded',
    reason:
      pin.refusal ?? purpose.undelivered?.reason ?? `its branch ${purpose.branch} is not in the repository`,
    ...refusalIn(pin),
    at: session.endedAt ?? session.createdAt,
  }
  return await withRestored(needs, repositoryPath, [work])
}

function refusalIn({ refusal }: Pin): Pick<PinnedWork, 'refusal'> {
  return refusal === undefined ? {} : { refusal }
}

async function withRestored(
  { branches }: Needs,
  source: string,
  found: readonly PinnedWork[],
): Promise<readonly PinnedWork[]> {
  const contained = await branches.findContained(
    source,
    found.map(({ commit }) => commit),
  )
  return found.map((work) => (contained.has(work.commit) ? { ...work, fate: 'restored' } : work))
}
