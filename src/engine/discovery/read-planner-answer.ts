import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { LastWords } from '../../domain/attempt/judge-attempt.ts'
import { describeBrokenAnswer } from '../../domain/discovery/broken-answer.ts'
import type { DiscoveryOutcome } from '../../domain/discovery/discovery-answer.ts'
import { readDiscoveryAnswer } from '../../domain/discovery/read-discovery-answer.ts'
import { goalClauses } from '../../domain/goal/goal-clauses.ts'
import type { Job } from '../../domain/job/job.ts'
import { describeEndOf } from '../../domain/session/describe-session-end.ts'
import { lastWordsOf } from '../attempts/last-words.ts'
import { readAnswer, readAnswerText } from '../attempts/read-answer.ts'
import type { EngineNeeds } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'host' | 'providers' | 'store' | 'settings'>

/** A planner's answer, and what is wrong with its text if it contains no answer. */
export type PlannerAnswer = {
  readonly answer: unknown
  readonly brokenness?: string
  /** The end of its error output, if its program failed. */
  readonly lastWords?: LastWords
}

export async function readPlannerAnswer(needs: Needs, attempt: Attempt): Promise<PlannerAnswer> {
  const lastWords = await lastWordsOf(needs, attempt)
  if (lastWords !== undefined) return { answer: undefined, lastWords }
  const answer = await readAnswer(needs, attempt)
  if (isMeantAsAnswer(answer)) return { answer }
  const text = await readAnswerText(needs, attempt)
  const brokenness = text === undefined ? undefined : describeBrokenAnswer(text)
  return { answer, ...(brokenness === undefined ? {} : { brokenness }) }
}

/** Reads the answer of a planner that has ended, against the current goal. */
export function outcomeOf(
  job: Job,
  attempt: Attempt,
  { answer, brokenness, lastWords }: PlannerAnswer,
): DiscoveryOutcome {
  if (attempt.state.type === 'ended' && attempt.state.ending !== 'done') {
    const why = lastWords === undefined ? '' : `: ${lastWords.line}`
    return { type: 'unusable', problem: `${describeEndOf('the planner', attempt.state.end)}${why}` }
  }
  if (brokenness !== undefined) return { type: 'unusable', problem: brokenness }
  return readDiscoveryAnswer(answer, goalClauses(job.requestDocument))
}

/** If an answer breaks off, one of its inner objects may have been read instead. */
function isMeantAsAnswer(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && ('tasks' in answer || 'done' in answer)
}
