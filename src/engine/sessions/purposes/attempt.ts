import type { Attempt } from '../../../domain/attempt/attempt.ts'
import { attemptRulesOf } from '../../../domain/attempt/attempt-purpose.ts'
import { nextAttemptState } from '../../../domain/attempt/next-attempt-state.ts'
import type { AttemptId, VisitId } from '../../../domain/id.ts'
import { attemptTimeMs, type Job } from '../../../domain/job/job.ts'
import { USUAL_SANDBOX } from '../../../domain/session/sandbox-policy.ts'
import { placedAt, type Session } from '../../../domain/session/session.ts'
import type { PurposeOf } from '../../../domain/session/session-purpose.ts'
import type { Task } from '../../../domain/task/task.ts'
import { withoutUndefined } from '../../../domain/without-undefined.ts'
import type { Records } from '../../../ports/store/store.ts'
import type { Work } from '../../../ports/work-queue.ts'
import type { Assignment } from '../../assignment.ts'
import { attemptTree, treeUsers } from '../../trees/attempt-tree.ts'
import { copiesInto } from '../../trees/copies-into.ts'
import { findCycleAndTask } from '../cycle-and-task.ts'
import { environmentOf, environmentOfVisit } from '../session-environment.ts'
import { isAnyAsked } from './is-asked.ts'
import type {
  PlanNeeds,
  Readiness,
  SessionOutcome,
  SessionPlan,
  StoreReader,
  WorkBase,
} from './session-plan.ts'
import type { Workplace } from './workplace.ts'

/** A session that works on an attempt, as its first session or after a handoff. */
export function planAttempt(session: Session, { attemptId }: PurposeOf<'attempt'>): SessionPlan {
  return {
    findWorkplace: (needs) => findWorkplace(needs, session, attemptId),
    findBase: (needs) => findBase(needs, attemptId),
    firstPrompt: (needs, options) => firstPrompt(needs, attemptId, options?.isWhole ?? false),
    readiness: (needs) => readiness(needs, session, attemptId),
    whenStarted: (records) => storeStart(records, attemptId),
    whenEnded: (records, outcome) => storeEnd(records, session, attemptId, outcome),
    whenBlocked: (records) => workWhenBlocked(records, attemptId),
    nudge: (needs) => nudge(needs, session, attemptId),
    async isNeeded({ store }) {
      const attempt = await store.read.attempts.find(attemptId)
      return attempt !== undefined && attempt.state.type !== 'settled'
    },
    // The tree and the output of all its sessions are removed with the attempt.
    clear: () => Promise.resolve(),
    clearWork: { type: 'attempt-clear', attemptId },
  }
}

type Owner = {
  readonly attempt: Attempt
  readonly job: Job
  readonly assignment: Assignment
}

async function findOwner(
  { store, assignments }: PlanNeeds,
  attemptId: AttemptId,
): Promise<Owner | undefined> {
  const attempt = await store.read.attempts.find(attemptId)
  if (attempt === undefined) return undefined
  const [job, assignment] = await Promise.all([
    store.read.jobs.find(attempt.jobId),
    assignments.find(attempt),
  ])
  return job === undefined || assignment === undefined ? undefined : { attempt, job, assignment }
}

async function findWorkplace(
  needs: PlanNeeds,
  session: Session,
  attemptId: AttemptId,
): Promise<Workplace | undefined> {
  const owner = await findOwner(needs, attemptId)
  const found = owner === undefined ? undefined : await findCycleAndTask(needs.store.read, owner.attempt)
  if (owner === undefined || found === undefined) return undefined
  const { attempt, job, assignment } = owner
  const { place, task } = found
  if (await isTreeTaken(needs, attempt)) return undefined
  const isReadOnly = assignment.mode === 'read'
  const visited = await environmentOfVisit(needs.store.read, visitOf(attempt))
  const isFirst = session.processNumber === 1 && attempt.handoffs.length === 0
  return {
    program: withoutUndefined({ type: 'agent' as const, agent: attempt.agent, answer: assignment.answer }),
    projectId: job.projectId,
    tree: {
      project: job.projectId,
      directory: attemptTree(needs, attempt),
      commit: commitOf(attempt) ?? job.baseCommit,
      branch: task?.branch ?? `${job.workingBranch}--plan`,
      ...copiesInto(job.repositoryPath, job.plan.copy),
    },
    ...(isFirst && session.startedAt === undefined ? await continuedIn(needs, attempt) : {}),
    setup: isFirst && !isReadOnly ? setupFor(job, task) : [],
    isReadOnly,
    sandbox: job.plan.sandbox ?? USUAL_SANDBOX,
    timeMs: timeFor(needs, job, assignment),
    environment: (directory) =>
      environmentOf(needs, session, directory, {
        MUSTER_CYCLE: String(place.cycle),
        MUSTER_TASK_ID: task?.id ?? '',
        MUSTER_ATTEMPT: String(attempt.number),
        ...visited,
      }),
    place,
    payers: payersOf(job, assignment),
  }
}

/** A setup that fails on the base can't run before the task that fixes it. */
function setupFor({ plan }: Job, task: Task | undefined): readonly string[] {
  const isBroken = task?.origin.type === 'base' && task.origin.isSetup
  return isBroken ? [] : (plan.setup ?? [])
}

function payersOf(job: Job, { payer }: Assignment): readonly Work[] {
  return [
    ...(job.plan.limits.budgetUsd === undefined ? [] : [{ type: 'job-advance', jobId: job.id } as const]),
    ...(payer === undefined ? [] : [{ type: 'run-advance', runId: payer } as const]),
  ]
}

function visitOf({ purpose }: Attempt): VisitId | undefined {
  return purpose.type === 'visit' ? purpose.visitId : undefined
}

/** Whether another attempt works in the directory of an attempt that is settled. */
async function isTreeTaken({ store }: StoreReader, attempt: Attempt): Promise<boolean> {
  if (attempt.state.type !== 'settled') return false
  return (await treeUsers(store.read, attempt)).some(({ state }) => state.type !== 'settled')
}

/** The commit of its tree. A question about a settled attempt is asked in a tree at the commit it left. */
function commitOf({ tip, continues, baseCommit }: Attempt): string | undefined {
  return tip ?? continues?.commit ?? baseCommit
}

/** The attempt whose conversation it continues may have left its tree in the directory. That work is pinned. */
async function continuedIn(
  { store }: StoreReader,
  { continues }: Attempt,
): Promise<Pick<Workplace, 'conversation' | 'isFresh'>> {
  if (continues === undefined) return {}
  const session = await store.read.sessions.find(continues.sessionId)
  return withoutUndefined({ isFresh: true, conversation: session?.conversation.providerSessionId })
}

function timeFor({ clock }: PlanNeeds, job: Job, { timeMs }: Assignment): number {
  const most = attemptTimeMs(job, clock.now())
  return timeMs === undefined ? most : Math.min(most, timeMs)
}

async function findBase({ store }: StoreReader, attemptId: AttemptId): Promise<WorkBase | undefined> {
  const attempt = await store.read.attempts.find(attemptId)
  const job = attempt === undefined ? undefined : await store.read.jobs.find(attempt.jobId)
  if (job === undefined) return undefined
  return { projectId: job.projectId, commit: attempt?.baseCommit ?? job.baseCommit }
}

async function firstPrompt(needs: PlanNeeds, attemptId: AttemptId, isWhole: boolean): Promise<string> {
  const owner = await findOwner(needs, attemptId)
  return owner === undefined ? '' : await owner.assignment.prompt(owner.job, owner.attempt, { isWhole })
}

/** A run has to know that an agent of it waits. */
async function workWhenBlocked(records: Records, attemptId: AttemptId): Promise<readonly Work[]> {
  const attempt = await records.attempts.find(attemptId)
  return attempt?.purpose.type === 'visit' ? [{ type: 'run-advance', runId: attempt.purpose.runId }] : []
}

async function nudge(needs: PlanNeeds, session: Session, attemptId: AttemptId): Promise<number | undefined> {
  const owner = await findOwner(needs, attemptId)
  return owner?.assignment.nudge?.(owner.job, owner.attempt, session.id)
}

async function readiness(needs: PlanNeeds, session: Session, attemptId: AttemptId): Promise<Readiness> {
  const attempt = await needs.store.read.attempts.find(attemptId)
  if (attempt?.state.type !== 'preparing' || attempt.sessionId !== session.id) return { type: 'later' }
  if (!(await isTreeFree(needs, attempt)) || (await isTreeAsked(needs, attempt))) return { type: 'later' }
  const assignment = await needs.assignments.find(attempt)
  if (assignment === undefined) return { type: 'never', reason: 'what it belonged to is gone' }
  // The time in which no daemon ran doesn't count.
  const since = Math.max(placedAt(session), needs.settings.startedAt?.getTime() ?? 0)
  const waitedMs = needs.clock.now().getTime() - since
  const isTooLate = waitedMs > assignment.startPatienceMs
  return isTooLate ? { type: 'never', reason: 'it could not be started in time' } : { type: 'ready' }
}

/** Whether the predecessor's program has exited: two programs must never write to one tree. */
export async function isTreeFree({ store }: StoreReader, attempt: Attempt): Promise<boolean> {
  const last = attempt.handoffs.at(-1)
  if (last === undefined) return true
  const session = await store.read.sessions.find(last.from)
  return session === undefined || session.state.type === 'terminated'
}

/**
 * Whether a question is being answered in the directory that an attempt continues in. It isn't woken when the answer is
 * there: this is rare, and lost starts are sent again every 30 seconds.
 */
async function isTreeAsked(needs: StoreReader, attempt: Attempt): Promise<boolean> {
  if (attempt.continues === undefined) return false
  const users = await treeUsers(needs.store.read, attempt)
  return await isAnyAsked(
    needs,
    users.map(({ sessionId }) => ({ id: sessionId })),
  )
}

async function storeStart(records: Records, attemptId: AttemptId): Promise<void> {
  const attempt = await records.attempts.find(attemptId)
  if (attempt === undefined) return
  const state = nextAttemptState(attempt.state, { type: 'session-start' })
  if (!state.ok) return
  await records.attempts.save(
    { ...attempt, state: state.value },
    { audit: { actor: 'engine', action: 'attempt-run', subject: attempt.id, detail: {} } },
  )
}

async function storeEnd(
  records: Records,
  session: Session,
  attemptId: AttemptId,
  { end, ending, at }: SessionOutcome,
): Promise<readonly Work[]> {
  const attempt = await records.attempts.find(attemptId)
  if (attempt === undefined) return []
  // This session handed over: its successor waits for the tree, or has ended without ever getting it.
  if (attempt.sessionId !== session.id) {
    return attempt.state.type === 'ended'
      ? [{ type: 'attempt-settle', attemptId }]
      : [{ type: 'session-start', sessionId: attempt.sessionId }]
  }
  const state = nextAttemptState(attempt.state, { type: 'session-end', end, ending })
  if (!state.ok) return []
  await records.attempts.save(
    { ...attempt, state: state.value, endedAt: at },
    {
      audit: {
        actor: 'engine',
        action: 'attempt-end',
        subject: attempt.id,
        detail: { end: end.type, ending },
      },
    },
  )
  // Advancing the job as well would only hold up the settling.
  if (attemptRulesOf(attempt).runsAlone) return [{ type: 'attempt-settle', attemptId }]
  return [
    { type: 'attempt-settle', attemptId },
    // Its slot is free, whatever becomes of its work.
    { type: 'job-advance', jobId: attempt.jobId },
  ]
}
