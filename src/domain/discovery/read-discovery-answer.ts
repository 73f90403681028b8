import { ANSWER_LIMITS } from '../limits/answer-limits.ts'
import { type AnswerFields, isAnswerFields, kindOf, textOf, textsOf } from './answer-fields.ts'
import type { DiscoveryOutcome } from './discovery-answer.ts'
import { missingEvidence, readEvidence } from './read-evidence.ts'
import { readTaskDrafts } from './read-task-drafts.ts'

/**
 * Reads a planner's answer for a goal with these clauses. Missing optional fields get defaults. An answer whose
 * meaning is in doubt is unusable, with a one-line problem that can be sent to the planner.
 */
export function readDiscoveryAnswer(answer: unknown, clauses: readonly string[]): DiscoveryOutcome {
  if (!isAnswerFields(answer)) {
    return unusable(`the answer must be one JSON object, but it is ${kindOf(answer)}`)
  }
  const done = answer.done ?? undefined
  if (done !== undefined && typeof done !== 'boolean') {
    return unusable(`\`done\` must be true or false, but it is ${kindOf(done)}`)
  }
  const listed = answer.tasks ?? (done === true ? [] : undefined)
  if (!Array.isArray(listed))
    return unusable(`\`tasks\` must be a list of tasks, but it is ${kindOf(listed)}`)
  // A planner that lists work is not done, whatever it claims.
  if (listed.length === 0 && done === true) return readReachedGoal(answer, clauses)
  const tasks = readTaskDrafts(listed, clauses.length)
  if (!tasks.ok) return unusable(tasks.failure)
  return {
    type: 'tasks',
    tasks: tasks.value,
    reasoning: textOf(answer.reasoning),
    blockers: textsOf(answer.blockers),
    learnings: learningsOf(answer),
  }
}

/** "Done" counts only with evidence for every clause. */
function readReachedGoal(answer: AnswerFields, clauses: readonly string[]): DiscoveryOutcome {
  const evidence = readEvidence(answer.evidence, clauses)
  const problem = missingEvidence(evidence, clauses)
  if (problem !== undefined) return unusable(`\`done\` is true, but ${problem}`)
  return {
    type: 'goal-reached',
    evidence,
    reasoning: textOf(answer.reasoning),
    learnings: learningsOf(answer),
  }
}

/** One line each. */
function learningsOf(answer: AnswerFields): readonly string[] {
  const lines = textsOf(answer.learnings).map((text) => text.replaceAll(/\s+/g, ' '))
  return [...new Set(lines.map((line) => line.slice(0, ANSWER_LIMITS.learningCharacters).trimEnd()))].slice(
    0,
    ANSWER_LIMITS.learnings,
  )
}

function unusable(problem: string): DiscoveryOutcome {
  return { type: 'unusable', problem }
}
