import type { Attempt } from '../../domain/attempt/attempt.ts'
import { goalClauses } from '../../domain/goal/goal-clauses.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import type { Message } from '../../domain/message/message.ts'
import { REPORT_LIMITS } from '../../domain/report/report-limits.ts'
import type { ReportSight } from '../../domain/report/report-sight.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Task } from '../../domain/task/task.ts'
import { inTurns } from './in-turns.ts'
import { isDelivered } from './is-delivered.ts'
import { lookAtBase } from './look-at-base.ts'
import type { ReportNeeds } from './report-needs.ts'

const QUESTIONS = 200

/** Reads all that a report is made of. Git is asked anew about every commit that landed. */
export async function readSight(needs: ReportNeeds, job: Job): Promise<ReportSight> {
  const { read } = needs.store
  const [tasks, landings, candidates, sessions, approvals] = await Promise.all([
    read.tasks.listOfJob(job.id),
    read.landings.listOfJob(job.id),
    read.candidates.listOfJob(job.id),
    read.sessions.listOfJob(job.id),
    read.approvals.list({ jobId: job.id, isPending: true }, REPORT_LIMITS.listed),
  ])
  const base = await lookAtBase(needs, job)
  return {
    job,
    clauses: goalClauses(job.requestDocument),
    tasks,
    attempts: await readAttempts(needs, job, tasks),
    landings,
    candidates,
    sessions,
    approvals,
    questions: await openQuestions(needs, job, sessions),
    plannerBlockers: await readBlockers(needs, job),
    trees: await readTrees(needs, job, landings),
    isDelivered: await isDelivered(needs, job),
    ...(base === undefined ? {} : { base }),
    now: needs.clock.now(),
  }
}

/** Those of the tasks, and any planner's that is under way. */
async function readAttempts(
  needs: ReportNeeds,
  job: Job,
  tasks: readonly Task[],
): Promise<readonly Attempt[]> {
  const { attempts } = needs.store.read
  const [ofTasks, unsettled] = await Promise.all([
    inTurns(tasks, ({ id }) => attempts.listOfTask(id)),
    attempts.listUnsettled(job.id),
  ])
  return [...ofTasks.flat(), ...unsettled.filter(({ purpose }) => purpose.type === 'discovery')]
}

/** Questions to a person from sessions that can still hear an answer. */
async function openQuestions(
  needs: ReportNeeds,
  job: Job,
  sessions: readonly Session[],
): Promise<readonly Message[]> {
  const filter = { jobId: job.id, recipient: 'person', kind: 'question' } as const
  const asked = await needs.store.read.messages.list(filter, { limit: QUESTIONS })
  const live = new Set<string>(
    sessions.filter(({ state }) => state.type !== 'terminated').map(({ id }) => id),
  )
  return asked.filter(
    ({ state, sender }) => (state.type === 'queued' || state.type === 'delivered') && live.has(sender),
  )
}

/** What the planner said last; a goal that is reached has nothing in its way. */
async function readBlockers(needs: ReportNeeds, job: Job): Promise<readonly string[]> {
  if (job.state.type === 'completed' && job.state.reason === 'goal-reached') return []
  const [event] = await needs.feed.tail(job.id, 1, { types: ['cycle_tasks_discovered'] })
  const blockers = event?.data['blockers']
  return Array.isArray(blockers) ? blockers.filter((text) => typeof text === 'string') : []
}

async function readTrees(
  needs: ReportNeeds,
  job: Job,
  landings: readonly Landing[],
): Promise<ReadonlyMap<string, string>> {
  const commits = landings.flatMap(({ state }) => (state.type === 'landed' ? [state.commit] : []))
  const found = await inTurns([...new Set(commits)], async (commit) => {
    const tree = await needs.history.treeOf(job.projectId, commit)
    return tree === undefined ? [] : [[commit, tree] as const]
  })
  return new Map(found.flat())
}
