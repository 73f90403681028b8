import type { Attempt } from '../../domain/attempt/attempt.ts'
import { taskIdOf } from '../../domain/attempt/attempt-purpose.ts'
import type { CandidateId, TaskId } from '../../domain/id.ts'
import { landingIdsOf } from '../../domain/landing/candidate.ts'
import type { CheckResult } from '../../domain/landing/check-result.ts'
import type { Verdict } from '../../domain/review/verdict.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Reads } from './find-record.ts'

/** The last verdict of a reviewer on a task. */
export type TaskReview = { readonly task: Task; readonly agentName: string; readonly verdict: Verdict }

/** What a person should know, besides the diff, about a commit that would land. */
export type LandingEvidence = {
  readonly checks: readonly CheckResult[]
  readonly reviews: readonly TaskReview[]
}

/** The evidence for each of these candidates that exists. */
export async function loadLandingEvidence(
  needs: Reads,
  ids: readonly CandidateId[],
): Promise<ReadonlyMap<string, LandingEvidence>> {
  const { read } = needs.store
  const candidates = await read.candidates.findMany(ids)
  const landings = await read.landings.findMany(candidates.flatMap(landingIdsOf))
  const taskIds = landings.map(({ taskId }) => taskId)
  const [tasks, attempts] = await Promise.all([
    read.tasks.findMany(taskIds),
    read.attempts.listOfTasks(taskIds),
  ])
  const taskOf = new Map(landings.map(({ id, taskId }) => [id, taskId]))
  const reviews = new Map(tasks.map((task) => [task.id, lastReview(task, attempts)]))
  return new Map(
    candidates.map((candidate) => {
      const reviewOf = (taskId: TaskId | undefined) =>
        taskId === undefined ? undefined : reviews.get(taskId)
      const ofCandidate = landingIdsOf(candidate).flatMap(
        (landingId) => reviewOf(taskOf.get(landingId)) ?? [],
      )
      return [candidate.id, { checks: candidate.checks, reviews: ofCandidate }]
    }),
  )
}

function lastReview(task: Task, attempts: readonly Attempt[]): TaskReview | undefined {
  const ofTask = attempts.filter((attempt) => taskIdOf(attempt) === task.id)
  const verdicts = ofTask.flatMap(({ state, agent }) =>
    state.type === 'settled' && state.outcome.type === 'accepted' && state.outcome.verdict !== undefined
      ? [{ task, agentName: agent.name, verdict: state.outcome.verdict }]
      : [],
  )
  return verdicts.at(-1)
}
